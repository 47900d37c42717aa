-- A cooperage: lines are numbered within their sale, products have a least number in stock, staves have none, what was cancelled has never been shipped, and some tests have no result yet.
create table categories (id int primary key, name text not null);
create table products (id int primary key, name text not null, category_id int not null references categories, price numeric(8,2) not null, stock int not null, min_stock int not null);
create table staves (id int primary key, name text not null, stock int not null);
create table clients (id int primary key, name text not null, town text not null);
create table sales (id int primary key, client_id int not null references clients, sold_on date not null, shipped_on date, status text not null check (status in ('open','shipped','cancelled')), total numeric(8,2) not null);
create table sale_lines (sale_id int not null references sales, line_no int not null, product_id int not null references products, qty int not null, price numeric(8,2) not null, primary key (sale_id, line_no));
insert into categories values (1,'Barrels'),(2,'Tubs'),(3,'Buckets');
insert into products values (1,'Oak Cask',1,120,5,10),(2,'Ash Keg',1,90,20,5),(3,'Wash Tub',2,60,0,3),(4,'Milk Pail',3,15,7,7);
insert into staves values (1,'Oak',5),(2,'Ash',0),(3,'Elm',2);
insert into clients values (1,'Hill Farm','York'),(2,'Lake Inn','Leeds'),(3,'Mill Dairy','Hull');
insert into sales values (1,1,'2024-01-05','2024-01-06','shipped',255),(2,1,'2024-02-05','2024-02-07','shipped',60),(3,2,'2024-03-01',null,'cancelled',15),(4,2,'2024-07-10',null,'open',210),(5,3,'2024-04-01',null,'open',15);
insert into sale_lines values (1,1,1,2,120),(1,2,4,1,15),(2,1,3,1,60),(3,1,4,1,15),(4,1,1,1,120),(4,2,2,1,90),(4,3,4,0,15),(5,1,4,1,15);
create table leak_tests (id int primary key, product_id int not null references products, tested_on date not null, passed boolean);
insert into leak_tests values (1,1,'2024-01-05',true),(2,1,'2024-02-05',false),(3,2,'2024-03-05',true),(4,2,'2024-07-10',null),(5,3,'2024-07-10',null);
create table inspections (id int primary key, yard text not null, inspected_on date not null, result text);
insert into inspections values (1,'North','2024-01-02','sound'),(2,'North','2024-02-02','faulty'),(3,'South','2024-03-02','sound'),(4,'South','2024-07-10',null);
alter table sales add refunded boolean not null default false;
update sales set refunded = true where id = 2;
