-- Sign-ins of the review page that were signed out before they ended by themselves, in
-- seconds since 1970.
create table signouts (signin text primary key, until bigint not null);
