-- An append touches few pages: the candidates of a translation are one row, as
-- a JSON list of lists whose elements are in the order of the view below; no
-- index is left that an append writes at random places where a sorted one does.
create table candidate_lists (
	translation integer primary key references translations (seq) on delete cascade,
	list text not null
);

insert into candidate_lists
select translation, json_group_array(json_array(position, sql, model, prompt, sample, repair, fate, votes, fingerprint, rows, cost, elapsed_ms, code, message, detail, error_hint))
from (select * from candidates order by translation, position) group by translation;

drop view candidate_log;
drop view agreement;
drop table candidates;
alter table candidate_lists rename to candidates;

create view candidate_log as
select t.id, strftime('%Y-%m-%d %H:%M:%f', t.asked / 1000000.0, 'unixepoch') as asked, t.database, t.role, t.question, t.outcome,
	json_extract(c.value, '$[0]') + 1 as candidate, json_extract(c.value, '$[2]') as model, json_extract(c.value, '$[3]') as prompt,
	json_extract(c.value, '$[4]') as sample, json_extract(c.value, '$[5]') as repair, json_extract(c.value, '$[6]') as fate,
	json_extract(c.value, '$[7]') as votes, json_extract(c.value, '$[8]') as fingerprint, json_extract(c.value, '$[9]') as rows,
	json_extract(c.value, '$[10]') as cost, json_extract(c.value, '$[11]') as elapsed_ms, json_extract(c.value, '$[12]') as code,
	json_extract(c.value, '$[13]') as message, json_extract(c.value, '$[1]') as sql
from translations t join candidates l on l.translation = t.seq, json_each(l.list) c;

create view agreement as
select database, model, prompt, count(*) as candidates,
	sum(case when fate in ('chosen', 'agreed') then 1 else 0 end) as agreed,
	sum(case when fate in ('refused', 'invalid', 'gated', 'failed', 'timeout', 'no answer') then 1 else 0 end) as fallen
from candidate_log group by database, model, prompt;

-- The index by outcome holds the confidence too.
drop index translations_confidence;

-- Steps of a twentieth order the queue as well, newest first within one.
update translations set priority = round(priority * 20) / 20 where priority <> round(priority * 20) / 20;

-- The words are indexed in larger portions, by the program.
drop trigger translations_text_insert;
drop trigger translations_text_delete;
create trigger translations_text_delete before delete on translations
when exists (select 1 from translations_text_docsize where docid = old.seq) begin
	delete from translations_text where docid = old.seq;
end;
