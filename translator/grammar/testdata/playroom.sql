-- A lending house for toys and books: of each loan it is known whether it came back, late or damaged; some families have none.
create table families (id int primary key, name text not null, town text not null, joined_on date not null default '2022-01-01');
create table things (id int primary key, title text not null, kind text not null);
create table loans (id int primary key, family_id int not null references families, thing_id int not null references things, lent_on date not null, due_on date not null, returned_on date, damaged boolean not null, cancelled_at timestamp, status text not null);
create table dues (id int primary key, family_id int not null references families, amount numeric(8,2) not null, billed_on date not null, paid_on date);
insert into families values (1,'Ames','York'),(2,'Bond','Leeds'),(3,'Cole','York'),(4,'Dunn','Hull'),(5,'Eyre','Hull');
insert into things values (1,'Old Sea','book'),(2,'New Hill','book'),(3,'Kite','toy'),(4,'Drum','toy'),(5,'Chess','game');
insert into loans values (1,1,1,'2024-01-05','2024-01-19','2024-01-15',false,null,'closed'),(2,1,3,'2024-02-05','2024-02-19','2024-03-01',true,null,'closed'),
  (3,2,2,'2024-03-01','2024-03-15','2024-03-10',false,null,'closed'),(4,2,5,'2024-04-01','2024-04-15',null,false,null,'open'),
  (5,3,1,'2024-05-01','2024-05-15','2024-05-10',false,null,'closed'),(6,3,4,'2024-06-01','2024-06-15','2024-06-12',false,'2024-06-01 10:00','cancelled'),
  (7,4,5,'2023-07-01','2023-07-15','2023-07-14',false,null,'closed');
insert into dues values (1,1,5,'2024-01-20','2024-02-01'),(2,1,7,'2024-03-05',null),(3,2,3,'2024-04-20','2024-05-01'),(4,3,4,'2024-06-15','2024-06-20'),(5,4,4,'2024-06-15',null);
create table refunds (id int primary key, due_id int not null references dues, amount numeric(8,2) not null, refunded_on date not null);
insert into refunds values (1,2,20,'2024-03-01'),(2,2,5,'2024-03-02'),(3,1,50,'2024-04-02');
