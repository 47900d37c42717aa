-- What each model was used for: a JSON array.
alter table translations add column spending text;
