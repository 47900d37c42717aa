-- Changes of the semantics file on the review page: who, when, and its text before and after.
create table semantics_edits (
	id text primary key,
	at timestamptz not null,
	by_whom text not null,
	how text not null,
	old_text text not null,
	new_text text not null
);

create view semantics_log as
select at, by_whom as admin, how, old_text, new_text from semantics_edits;
