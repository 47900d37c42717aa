-- Whose entries, or entries until when, were erased: what a spill file still holds of them is not taken over. The login is
-- a salted digest, as its name is erased too; without one it is everybody's.
create table erasures (salt text not null, login text not null, before timestamptz not null);
