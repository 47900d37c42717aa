-- Sign-ins at the review page that stand, by a digest of the secret in their cookie. Before, a cookie held its sign-in, and
-- those were kept that had ended.
drop table signouts;
create table signins (
	id text primary key,
	until bigint not null,
	name text not null,
	how text not null,
	evidence text not null
);

-- How a reviewer had signed in.
alter table feedback add column how text not null default '';

create or replace view verdict_log as
select v.at, v.verdict, v.reviewer, v.note, v.translation, v.database, v.role, v.login, v.question,
	case when row_number() over w = 1 then nullif(v.answer, '') else lag(v.new_sql) over w end as old_sql, v.new_sql, v.how
from (
	select f.at, f.kind as verdict, f.by_whom as reviewer, f.reason as note, f.translation, t.database, t.role, t.login, t.question, t.sql as answer,
		case f.kind when 'approve' then t.sql when 'correct' then f.sql end as new_sql, f.how
	from feedback f join translations t on t.id = f.translation where f.kind in ('approve', 'correct', 'reject', 'retire')
) v window w as (partition by v.translation order by v.at);

create or replace view seen_log as
select f.at, f.by_whom as reviewer, t.database, t.role, f.translation, f.sql, f.how
from feedback f join translations t on t.id = f.translation where f.kind = 'see rows';
