-- Questions of the demonstrations that prompts had: an array.
alter table translations add column demonstrations jsonb;
