-- A dairy: milk is sold by the litre, tastings are paid for beside it.
CREATE TABLE clients (id integer PRIMARY KEY, name text NOT NULL UNIQUE, town text NOT NULL);
CREATE TABLE staff (id integer PRIMARY KEY, name text NOT NULL UNIQUE, role text NOT NULL, hired_on date NOT NULL);
CREATE TABLE milk_sales (
    id integer PRIMARY KEY, client_id integer NOT NULL REFERENCES clients, milk text NOT NULL, sold_on date NOT NULL, litres numeric(8,1) NOT NULL, price_per_litre numeric(6,2) NOT NULL
);
CREATE TABLE tastings (id integer PRIMARY KEY, title text NOT NULL UNIQUE, staff_id integer NOT NULL REFERENCES staff, held_on date NOT NULL, fee numeric(8,2) NOT NULL);
CREATE TABLE payments (id integer PRIMARY KEY, tasting_id integer NOT NULL REFERENCES tastings, paid_on date NOT NULL, amount numeric(8,2) NOT NULL);
INSERT INTO clients VALUES (1, 'Elm Inn', 'Bath'), (2, 'Oak House', 'Hull'), (3, 'Ash Farm', 'Bath');
INSERT INTO staff VALUES (1, 'Ada Bell', 'head cheese maker', '2015-01-01'), (2, 'Ben Cole', 'guide', '2020-01-01'), (3, 'Cy Dunn', 'guide', '2022-01-01');
INSERT INTO milk_sales VALUES (1, 1, 'goat', '2024-05-02', 10, 2), (2, 1, 'cow', '2024-06-03', 30, 1), (3, 2, 'cow', '2024-06-20', 20, 1.5), (4, 2, 'goat', '2024-07-04', 5, 2), (5, 1, 'cow', '2024-08-01', 40, 1);
INSERT INTO tastings VALUES (1, 'Brie', 2, '2024-06-01', 20), (2, 'Feta', 2, '2024-07-01', 25), (3, 'Gouda', 3, '2024-08-01', 30);
INSERT INTO payments VALUES (1, 1, '2024-05-30', 20), (2, 1, '2024-06-01', 20), (3, 2, '2024-07-01', 25), (4, 3, '2024-08-01', 30);
CREATE TABLE courses (id integer PRIMARY KEY, title text NOT NULL UNIQUE, starts_on date NOT NULL, ends_on date NOT NULL);
INSERT INTO courses VALUES (1, 'Rennet', '2024-01-01', '2024-02-01'), (2, 'Curd', '2024-01-01', '2999-01-01'), (3, 'Rind', '2998-01-01', '2999-01-01');
CREATE TABLE supplies (id integer PRIMARY KEY, name text NOT NULL UNIQUE, in_stock integer NOT NULL, minimum_stock integer NOT NULL);
INSERT INTO supplies VALUES (1, 'Salt', 2, 5), (2, 'Cloth', 5, 5), (3, 'Wax', 9, 5);
