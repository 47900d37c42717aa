-- The one role that a verified example answers; empty: all.
alter table examples add column only_for text not null default '';

drop index examples_question;
create unique index examples_question on examples (database, question_key, only_for) where status <> 'retired';
