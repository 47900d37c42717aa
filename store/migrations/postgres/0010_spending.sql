-- What each model was used for: an array.
alter table translations add column spending jsonb;
