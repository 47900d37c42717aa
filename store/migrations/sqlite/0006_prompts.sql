-- What models were sent, for a while, where a setting keeps it.
alter table translations add column kept_prompts text;
create index translations_prompts on translations (asked) where kept_prompts is not null;
