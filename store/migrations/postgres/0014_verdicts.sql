-- The role's pg_authid.oid on the primary, by which one that was made anew under its name is told from it; 0: not known.
alter table translations add column role_oid bigint not null default 0;

-- cost is money everywhere; the planner's is called so.
alter table candidate_log rename column cost to plan_cost;

-- For SQL and BI tools: what reviewers have decided, with the SQL that stood before the verdict and the SQL that it verified;
-- NULL is none. The SQL of example_log is the one in force.
create view verdict_log as
select v.at, v.verdict, v.reviewer, v.note, v.translation, v.database, v.role, v.login, v.question,
	case when row_number() over w = 1 then nullif(v.answer, '') else lag(v.new_sql) over w end as old_sql, v.new_sql
from (
	select f.at, f.kind as verdict, f.by_whom as reviewer, f.reason as note, f.translation, t.database, t.role, t.login, t.question, t.sql as answer,
		case f.kind when 'approve' then t.sql when 'correct' then f.sql end as new_sql
	from feedback f join translations t on t.id = f.translation where f.kind in ('approve', 'correct', 'reject', 'retire')
) v window w as (partition by v.translation order by v.at);

-- The rows that reviewers have had shown: who, as whom, by which SQL.
create view seen_log as
select f.at, f.by_whom as reviewer, t.database, t.role, f.translation, f.sql
from feedback f join translations t on t.id = f.translation where f.kind = 'see rows';
