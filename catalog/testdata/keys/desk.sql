-- A help desk and the coupons of a shop. Persons have roles; two tables number
-- what they are about by a column of the same short name.
create table employees (id serial primary key, name text, manager_id int, team text);
create table accounts (id serial primary key, name text, owner_id int, parent_id int, seats int, country text);
create table tickets (id serial primary key, account_id int, assignee_id int, priority int, opened_at timestamptz);
create table ticket_replies (id serial primary key, ticket_id int, employee_id int, minutes int, body text);
create table refunds (id serial primary key, account_id int, approved_by int, amount_cents int);
create table coupons (cid int, code text, percent int);
create table checkin (cid int, place text, people int);
create table events (id bigserial primary key, account_id int, session_uid uuid, step int);
create table sessions (uid uuid primary key, browser text);
create table countries (code text primary key, name text unique);
create view open_tickets as select t.id, t.account_id, r.employee_id as last_reply from tickets t join ticket_replies r on r.ticket_id = t.id;
insert into employees (name, manager_id, team) select 'E' || i, case when i > 4 then i % 4 + 1 end, 'T' || i % 3 from generate_series(1, 25) i;
insert into countries select chr(65 + i) || chr(90 - i), 'Country ' || i from generate_series(0, 24) i;
insert into accounts (name, owner_id, parent_id, seats, country) select 'A' || i, i % 10 + 1, case when i > 50 then i % 50 + 1 end, i % 40 + 1, 'Country ' || i % 25 from generate_series(1, 200) i;
insert into tickets (account_id, assignee_id, priority, opened_at) select i % 200 + 1, i % 15 + 1, i % 3 + 1, now() from generate_series(1, 800) i;
insert into ticket_replies (ticket_id, employee_id, minutes, body) select i % 800 + 1, i % 25 + 1, i % 50 + 1, 'b' from generate_series(1, 1500) i;
insert into refunds (account_id, approved_by, amount_cents) select i % 200 + 1, i % 4 + 1, i * 100 from generate_series(1, 60) i;
insert into coupons select i, 'C' || i, i % 30 + 1 from generate_series(1, 40) i;
insert into checkin select i, 'P' || i, i % 9 + 1 from generate_series(1, 90) i;
insert into sessions select md5(i::text)::uuid, 'b' from generate_series(1, 100) i;
insert into events (account_id, session_uid, step) select i % 200 + 1, md5((i % 100 + 1)::text)::uuid, i % 7 + 1 from generate_series(1, 900) i;
-- keys: employees.manager_id>employees.id accounts.owner_id>employees.id accounts.parent_id>accounts.id tickets.account_id>accounts.id
-- keys: tickets.assignee_id>employees.id ticket_replies.ticket_id>tickets.id ticket_replies.employee_id>employees.id
-- keys: refunds.account_id>accounts.id refunds.approved_by>employees.id events.account_id>accounts.id events.session_uid>sessions.uid
-- keys: accounts.country>countries.name
