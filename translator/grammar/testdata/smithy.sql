-- A smithy: works that are planned before they are forged and may be called off, prices in two currencies, smiths who resign, organise fairs
-- and take part in their contests, and orders in a terse table with its lines.
create table smiths (id int primary key, name text not null, job text not null, joined_on date not null, resigned_on date);
comment on column smiths.job is 'farrier, cutler or founder';
create table fairs (id int primary key, name text not null, organiser_id int not null references smiths, held_on date not null);
create table contests (id int primary key, fair_id int not null references fairs, title text not null);
create table showings (contest_id int references contests, maker_id int references smiths, points int not null, primary key (contest_id, maker_id));
create table works (id int primary key, smith_id int not null references smiths, status text not null, planned_on date not null, forged_at timestamp, price numeric(8,2) not null, currency text not null, rebate numeric(8,2));
create table bills (id int primary key, work_id int not null references works, billed_on date not null, total numeric(8,2) not null);
create table gifts (id int primary key, smith_id int references smiths, given_at timestamp not null, amount numeric(8,2) not null);
create table parcels (id int primary key, work_id int not null references works, sent_on date not null);
create table pacts (id int primary key, begun_on date not null, sealed_at timestamp, lost_at timestamp);
create table prentices (id int primary key, name text not null, town text not null);
create table ord_h (ord_no int primary key, made_on date not null, cast_no int, temp_c numeric(5,1) not null);
create table ord_l (ord_no int references ord_h, ln_no int, depth int not null, primary key (ord_no, ln_no));
insert into smiths values (1,'Ada Coal','farrier','2010-01-01',null),(2,'Bo Tong','cutler','2012-01-01',null),(3,'Cy Anvil','cutler','2013-01-01','2023-01-01');
insert into fairs values (1,'May Fair',1,'2023-05-01'),(2,'Yule Fair',1,'2023-12-01');
insert into contests values (1,1,'Nails'),(2,1,'Blades'),(3,2,'Hinges');
insert into showings values (1,2,5),(2,2,4),(3,3,3);
insert into works select i, 1 + i % 2, case when i % 4 = 0 then 'cancelled' else 'agreed' end, date '2024-01-01' + i, case when i % 4 = 1 then timestamp '2024-01-02 10:00' + i * interval '1 day' end, 100 * i, case when i % 2 = 0 then 'EUR' else 'CHF' end, case when i = 5 then 20 end from generate_series(1, 12) i;
insert into bills select i, i, date '2024-02-01' + i, 100 * i from generate_series(1, 12, 4) i;
insert into gifts values (1,1,'2024-03-01 10:00',50),(2,1,'2024-04-01 10:00',70),(3,2,now() - interval '40 days',20);
insert into parcels select i, i, date '2024-03-01' + i from generate_series(1, 12, 4) i;
insert into ord_h select i, date '2024-01-01' + i, i % 3, -10 + i from generate_series(1, 9) i;
insert into ord_l select i, l, l from generate_series(1, 9) i, generate_series(1, 2) l;
insert into pacts values (1,'2024-01-01','2024-02-01',null),(2,'2024-01-02',null,'2024-02-02'),(3,'2024-01-03',null,null);
insert into prentices values (1,'Flo','Hull'),(2,'Flo','York'),(3,'Gus','Hull'),(4,'Gus','York'),(5,'Hal','York');
insert into works values (13,3,'agreed','2024-02-01',null,100,'EUR',null);
