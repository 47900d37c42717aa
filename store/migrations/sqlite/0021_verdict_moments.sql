-- Two verdicts of one millisecond stand in the order in which they were given.
drop view verdict_log;
create view verdict_log as
select strftime('%Y-%m-%d %H:%M:%S', v.at / 1000000, 'unixepoch') || printf('.%06d', v.at % 1000000) as at, v.verdict, v.reviewer, v.note, v.translation, v.database, v.role, v.login, v.question,
	case when row_number() over w = 1 then nullif(v.answer, '') else lag(v.new_sql) over w end as old_sql, v.new_sql, v.how, v.example
from (
	select f.at, f.kind as verdict, f.by_whom as reviewer, f.reason as note, f.translation, coalesce(t.database, e.database) as database,
		coalesce(t.role, e.role) as role, coalesce(t.login, '') as login, coalesce(t.question, e.question) as question,
		coalesce(t.sql, case f.kind when 'retire' then e.sql end) as answer,
		case f.kind when 'approve' then t.sql when 'correct' then f.sql when 'import' then e.sql end as new_sql, f.how, f.example, coalesce(t.id, e.id) as subject
	from feedback f left join translations t on t.id = f.translation left join examples e on e.id = f.example
	where f.kind in ('approve', 'correct', 'reject', 'retire', 'import') and (t.id is not null or e.id is not null)
) v window w as (partition by v.subject order by v.at);
