-- What the instances that share the log know and nobody else. A SQLite log has
-- one instance.
create table secrets (
	name text primary key,
	value blob not null
);
