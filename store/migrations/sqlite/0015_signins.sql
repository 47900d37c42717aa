-- Sign-ins at the review page that stand, by a digest of the secret in their cookie. Before, a cookie held its sign-in, and
-- those were kept that had ended.
drop table signouts;
create table signins (
	id text primary key,
	until integer not null,
	name text not null,
	how text not null,
	evidence text not null
) without rowid;

-- How a reviewer had signed in.
alter table feedback add column how text not null default '';

drop view verdict_log;
create view verdict_log as
select strftime('%Y-%m-%d %H:%M:%f', v.at / 1000000.0, 'unixepoch') as at, v.verdict, v.reviewer, v.note, v.translation, v.database, v.role, v.login, v.question,
	case when row_number() over w = 1 then nullif(v.answer, '') else lag(v.new_sql) over w end as old_sql, v.new_sql, v.how
from (
	select f.at, f.kind as verdict, f.by_whom as reviewer, f.reason as note, f.translation, t.database, t.role, t.login, t.question, t.sql as answer,
		case f.kind when 'approve' then t.sql when 'correct' then f.sql end as new_sql, f.how
	from feedback f join translations t on t.id = f.translation where f.kind in ('approve', 'correct', 'reject', 'retire')
) v window w as (partition by v.translation order by v.at);

drop view seen_log;
create view seen_log as
select strftime('%Y-%m-%d %H:%M:%f', f.at / 1000000.0, 'unixepoch') as at, f.by_whom as reviewer, t.database, t.role, f.translation, f.sql, f.how
from feedback f join translations t on t.id = f.translation where f.kind = 'see rows';
