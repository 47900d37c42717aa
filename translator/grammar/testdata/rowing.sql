-- A rowing club: memberships, subscriptions and contracts that hold from a day until another one.
create table members (id int primary key, name text not null, role text not null, born_on date not null, joined_on date not null);
create table plans (id int primary key, name text not null, monthly_fee numeric(8,2) not null);
create table memberships (id int primary key, member_id int not null references members, plan_id int not null references plans, valid_from date not null, valid_to date not null);
create table subscriptions (id int primary key, member_id int not null references members, title text not null, starts_on date not null, expires_on date not null);
create table contracts (id int primary key, member_id int not null references members, number text not null, start_date date not null, end_date date);
create table boats (id int primary key, name text not null, insured_until date not null);
insert into members values (1,'Ida Moss','member','1990-01-01','2010-05-01'),(2,'Jan Reed','coach','1980-01-01','2001-05-01'),(3,'Kim Stone','member','1999-01-01','2022-05-01');
insert into plans values (1,'Basic',20),(2,'Gold',50);
insert into memberships values (1,1,1,'2024-01-01','2024-12-31'),(2,1,2,current_date-100,current_date+100),(3,2,1,'2020-01-01','2021-12-31'),(4,3,1,current_date-100,current_date+265);
insert into subscriptions values (1,1,'Rowing News','2024-01-01','2024-12-31'),(2,2,'Rowing News',current_date-100,current_date+400);
insert into contracts values (1,1,'K-1','2024-01-01','2024-12-31'),(2,2,'K-2','2024-01-01',null),(3,3,'K-3','2024-01-01',current_date+400);
insert into boats values (1,'Swift','2024-01-01'),(2,'Heron',current_date+30);
create table outings (id int primary key, member_id int not null references members, boat_id int not null references boats, from_date date not null, to_date date not null);
insert into outings values (1,1,1,'2024-05-01','2024-05-01'),(2,1,2,'2024-05-03','2024-05-04'),(3,2,2,'2024-06-01','2024-06-01');
