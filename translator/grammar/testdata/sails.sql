-- A sailmaker: states in the order in which they are reached, of an enum and of a check, one in that of the alphabet, and one that nothing lists.
create type stage as enum ('placed','paid','packed','shipped','delivered','cancelled');
create type progress as enum ('ordered','paid','cut','sewn','sent','cancelled');
create table sails (id int primary key, label text not null, progress progress not null, status text not null check (status in ('draft','approved','released','withdrawn')));
insert into sails values (1,'Jib','paid','draft'),(2,'Genoa','sewn','approved'),(3,'Main','sent','released'),(4,'Spinnaker','cancelled','withdrawn'),(5,'Trysail','ordered','approved'),(6,'Storm jib','cut','draft');
create table jobs (id int primary key, title text not null, status text not null, made_on date not null);
insert into jobs values (1,'a','shipped','2024-01-01'),(2,'b','delivered','2024-01-01'),(3,'c','packed','2024-01-02');
create table parcels (id int primary key, ref text not null, status stage not null, weight int not null);
insert into parcels values (1,'P1','paid',1),(2,'P2','shipped',2),(3,'P3','delivered',3),(4,'P4','cancelled',3),(5,'P5','placed',4),(6,'P6','packed',4);
create table ropes (id int primary key, label text not null, status text not null check (status in ('approved','delivered','ordered','paid')));
insert into ropes values (1,'R-1','approved'),(2,'R-2','delivered'),(3,'R-3','paid'),(4,'R-4','ordered');
create table bills (id int primary key, number text not null, amount numeric(8,2) not null, issued_on date not null, paid_on date);
create table posts (id int primary key, title text not null, published boolean not null, written_on date not null);
insert into bills values (1,'B1',10,'2024-01-01',null),(2,'B2',20,'2024-01-01','2024-02-01');
insert into posts values (1,'x',true,'2024-01-01'),(2,'y',false,'2024-01-01');
