-- An outfitter: what is paid besides the tents, what they are sold and bought for, a discount on lines, and staff who report to others.
CREATE TABLE branches (branch_id int PRIMARY KEY, branch_name text NOT NULL, city text NOT NULL);
CREATE TABLE staff (staff_id int PRIMARY KEY, full_name text NOT NULL, role text NOT NULL, branch_id int NOT NULL REFERENCES branches, reports_to int REFERENCES staff, started_on date NOT NULL, ended_on date);
CREATE TABLE customers (customer_id int PRIMARY KEY, full_name text NOT NULL, city text NOT NULL, birth_date date);
CREATE TABLE kinds (kind_id int PRIMARY KEY, kind_name text NOT NULL);
CREATE TABLE tents (tent_id int PRIMARY KEY, model text NOT NULL, kind_id int NOT NULL REFERENCES kinds, sale_price numeric(9,2) NOT NULL, cost_price numeric(9,2) NOT NULL, launched_on date NOT NULL);
CREATE TABLE orders (order_id int PRIMARY KEY, customer_id int NOT NULL REFERENCES customers, branch_id int NOT NULL REFERENCES branches, order_date date NOT NULL, status text NOT NULL, shipping_fee numeric(6,2) NOT NULL);
CREATE TABLE order_lines (order_id int NOT NULL REFERENCES orders, line int NOT NULL, tent_id int NOT NULL REFERENCES tents, qty int NOT NULL, price_each numeric(9,2) NOT NULL, discount_pct numeric(4,1), PRIMARY KEY (order_id, line));
CREATE TABLE repairs (repair_id int PRIMARY KEY, tent_id int NOT NULL REFERENCES tents, price numeric(8,2) NOT NULL, done_on date NOT NULL);
INSERT INTO branches VALUES (1, 'Castle Street', 'Bath'), (2, 'Dock Road', 'Truro');
INSERT INTO staff VALUES (1, 'Ann Bell', 'manager', 1, NULL, '2015-01-01', NULL), (2, 'Bo Cain', 'seller', 1, 1, '2017-01-01', NULL), (3, 'Cy Dorn', 'seller', 2, 1, '2019-01-01', '2022-05-01'), (4, 'Di Eads', 'seller', 2, 2, '2020-01-01', NULL);
INSERT INTO customers VALUES (1, 'Eva Lane', 'Bath', '1980-01-01'), (2, 'Finn Moss', 'Truro', NULL);
INSERT INTO kinds VALUES (1, 'Dome Tents'), (2, 'Tunnel Tents');
INSERT INTO tents VALUES (1, 'Swift', 1, 300, 200, '2024-02-01'), (2, 'Rock', 1, 500, 100, '2024-03-01'), (3, 'Pony', 2, 200, 150, '2023-02-01');
INSERT INTO orders VALUES (1, 1, 1, '2024-03-05', 'paid', 9), (2, 2, 2, '2024-04-05', 'paid', 5), (3, 2, 1, '2023-04-05', 'cancelled', 50), (4, 1, 1, '2023-04-06', 'cancelled', 1);
INSERT INTO order_lines VALUES (1, 1, 1, 2, 300, NULL), (1, 2, 3, 1, 200, 10), (2, 1, 2, 1, 500, 20), (3, 1, 2, 1, 500, NULL), (4, 1, 3, 1, 200, NULL);
INSERT INTO repairs VALUES (1, 1, 40, '2024-05-01');
