-- How often a question was asked: each is in the queue once, by its asking that
-- is most worth a person's time, and what is asked often rises.
create table askings (
	database text not null,
	question_key text not null,
	n bigint not null,
	top text not null default '', -- id of the translation that stands in the queue
	primary key (database, question_key)
);

-- Translations up to this one are not counted.
create table askings_from (seq bigint not null);
insert into askings_from select coalesce(max(seq), 0) from translations;
