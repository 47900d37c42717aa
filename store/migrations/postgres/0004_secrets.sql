-- What the instances that share the log know and nobody else.
create table secrets (
	name text primary key,
	value bytea not null
);

revoke all on secrets from public;
