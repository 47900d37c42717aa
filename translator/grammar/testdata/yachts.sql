-- A harbour for yachts: a year as a number, a day until which something is so, stays, contracts that may be terminated, bills of two kinds.
create table owners (id int primary key, name text not null unique, country text not null, member_since date not null);
create table boats (id int primary key, owner_id int not null references owners, name text not null unique, boat_type text not null, length_m numeric(5,2) not null, built int, insured_until date);
comment on column boats.built is 'year of construction';
create table berths (id int primary key, number text not null, length_m numeric(5,2) not null, kind text not null);
create table contracts (id int primary key, boat_id int not null references boats, berth_id int not null references berths, starts_on date not null, ends_on date not null, yearly_fee numeric(8,2) not null, terminated_on date);
create table guest_stays (id int primary key, berth_id int not null references berths, flag text not null, arrived_on date not null, left_on date, nights int, persons int not null, fee numeric(8,2) not null, paid boolean not null);
create table work_orders (id int primary key, boat_id int not null references boats, status text not null, created_at timestamp not null, finished_at timestamp, hours numeric(5,1));
create table fuel_sales (id int primary key, sold_at timestamp not null, fuel text not null, litres numeric(8,1) not null, price_per_litre numeric(6,3) not null);
create table invoices (id int primary key, invoice_no text not null unique, owner_id int not null references owners, work_order_id int references work_orders, contract_id int references contracts, issued_on date not null, due_on date not null, amount numeric(9,2) not null, paid_on date);
insert into owners select i, 'Owner '||i, (array['Germany','Denmark','Sweden'])[1+i%3], date '2015-01-01' + i*17 from generate_series(1,60) i;
insert into boats select i, 1+i%60, 'Boat '||i, (array['sailing yacht','motor boat','catamaran'])[1+i%3], 6+(i*37%90)/10.0, 1960+(i*13)%60, case when i%7>0 then current_date-100+i*3 end from generate_series(1,150) i;
insert into berths select i, 'B'||i, 6+(i*7%60)/5.0, (array['resident','guest'])[1+i%2] from generate_series(1,80) i;
insert into contracts select i, 1+i%150, 1+i%80, date '2022-01-01'+(i*11)%1500, date '2023-01-01'+(i*11)%1500, 900+i, case when i%9=0 then date '2023-06-01' end from generate_series(1,150) i;
insert into guest_stays select i, 1+i%80, (array['DE','DK','SE','NL'])[1+i%4], current_date-1000+i%990, case when i%50>0 then current_date-999+i%990 end, 1+i%5, 1+i%6, 20+i%80, i%11>0 from generate_series(1,120) i;
insert into work_orders select i, 1+i%150, (array['open','done','cancelled','waiting for parts'])[1+i%4], now()-i*interval '1 day', case when i%4=1 then now()-i*interval '20 hours' end, i%40/4.0 from generate_series(1,60) i;
insert into fuel_sales select i, now()-i*interval '6 hours', (array['diesel','petrol'])[1+i%2], 20+i%90, 1.5+(i%5)/10.0 from generate_series(1,120) i;
insert into invoices select i, 'R'||i, 1+i%60, case when i%3=0 then 1+i%60 end, case when i%3>0 then 1+i%150 end, current_date-i, current_date-i+30, 100+i, case when i%4>0 then current_date-i+20 end from generate_series(1,90) i;
