-- Questions are counted beside what they cost, and periods may be minutes:
-- "2026-01-31" is a day, "2026-01-31T09:30" a minute, UTC.
alter table budgets add column questions bigint not null default 0;
