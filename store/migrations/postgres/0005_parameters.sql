-- An example may stand for many questions: its texts with their marks, what the
-- marks are, and the key of the question as it stood when it was marked.
-- question and sql hold that one.
alter table examples add column marked_question text not null default '';
alter table examples add column marked_sql text not null default '';
alter table examples add column parameters jsonb;
alter table examples add column sample_key text not null default '';

create index examples_marked on examples (database, updated) where marked_question <> '';
create index examples_sample on examples (database, sample_key) where sample_key <> '';

-- For SQL and BI tools: the examples, those with parameters as they are marked.
create view example_log as
select id, database, case when marked_question = '' then question else marked_question end as question, hint,
	case when marked_sql = '' then sql else marked_sql end as sql, coalesce(jsonb_array_length(parameters), 0) as parameters, status, note, reviewer, role, translation, used, updated
from examples;
