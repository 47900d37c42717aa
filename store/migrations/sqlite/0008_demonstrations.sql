-- Questions of the demonstrations that prompts had: a JSON array.
alter table translations add column demonstrations text;
