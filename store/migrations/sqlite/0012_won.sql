-- Why the chosen result won with fewer votes than another one: judge, blank; empty if it had the most.
alter table translations add column won text not null default '';
