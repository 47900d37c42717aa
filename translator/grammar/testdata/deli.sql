-- A delicatessen: orders with a total and times of what happens to them, returns and reviews beside orders, a price of three decimals.
create table customers (id int primary key, name text not null, city text not null, joined_on date not null);
create table products (id int primary key, name text not null, price numeric(10,2) not null);
create table orders (id int primary key, customer_id int not null references customers, placed_at timestamp not null, total numeric(10,2) not null, shipped_at timestamp, delivered_at timestamp);
create table order_lines (id int primary key, order_id int not null references orders, product_id int not null references products, quantity int not null);
create table returns (id int primary key, customer_id int not null references customers, order_id int not null references orders, returned_at timestamp not null);
create table reviews (id int primary key, customer_id int not null references customers, product_id int not null references products, stars int not null, written_at timestamp not null);
insert into customers values (1,'Anna Berg','Rome','2022-01-05'),(2,'Ben Holt','Oslo','2023-03-01'),(3,'Cara Lund','Rome','2023-06-01'),(4,'Dora Vik','Bonn','2024-02-01');
insert into products values (1,'Olive oil',12.5),(2,'Truffle',1500),(3,'Bread',3.2),(4,'Ham slicer',1000);
insert into orders values (1,1,'2024-05-01 08:10',1512.5,'2024-05-02 10:00','2024-05-04 10:00'),(2,1,'2024-06-01 18:30',12.5,'2024-06-02 10:00',null),(3,2,'2024-07-01 09:30',3.2,null,null),(4,2,'2024-07-11 06:30',1003.2,'2024-07-12 10:00','2024-07-13 10:00'),(5,3,'2024-07-11 19:30',500,'2024-07-12 10:00',null);
insert into order_lines values (1,1,2,1),(2,1,1,1),(3,2,1,1),(4,3,3,1),(5,4,3,1),(6,4,4,1),(7,5,1,40);
insert into returns values (1,1,1,'2024-05-10'),(2,2,3,'2024-07-20'),(3,2,4,'2024-07-21'),(4,2,4,'2024-07-22');
insert into reviews values (1,1,1,5,'2024-06-10'),(2,1,2,4,'2024-06-11'),(3,3,1,3,'2024-07-20');
create table fuels (id int primary key, name text not null, litre_price numeric(6,3) not null);
insert into fuels values (1,'Diesel',1.659);
