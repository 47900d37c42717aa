-- A workshop for lanterns: people have a first and a last name, and what orders come to stands in their lines only.
CREATE TABLE customers (customer_id int PRIMARY KEY, first_name text NOT NULL, last_name text NOT NULL, joined_on date NOT NULL);
CREATE TABLE employees (employee_id int PRIMARY KEY, first_name text NOT NULL, last_name text NOT NULL, hired_on date NOT NULL);
CREATE TABLE lanterns (lantern_id int PRIMARY KEY, name text NOT NULL UNIQUE, maker text NOT NULL, list_price numeric(8,2) NOT NULL, cost_price numeric(8,2) NOT NULL);
CREATE TABLE orders (order_id int PRIMARY KEY, customer_id int NOT NULL REFERENCES customers, channel text NOT NULL CHECK (channel IN ('web', 'counter', 'fair')), ordered_on date NOT NULL, shipping_fee numeric(8,2) NOT NULL);
CREATE TABLE order_lines (order_line_id int PRIMARY KEY, order_id int NOT NULL REFERENCES orders, lantern_id int NOT NULL REFERENCES lanterns, quantity int NOT NULL, unit_price numeric(8,2) NOT NULL);
CREATE TABLE returns (return_id int PRIMARY KEY, order_line_id int NOT NULL REFERENCES order_lines, returned_on date NOT NULL, quantity int NOT NULL, refund_amount numeric(8,2) NOT NULL);
INSERT INTO customers VALUES (1, 'Ida', 'Wick', '2023-01-05'), (2, 'Jon', 'Flint', '2024-02-06'), (3, 'Kay', 'Snuff', '2024-05-07'), (4, 'Lee', 'Wick', '2022-01-01');
INSERT INTO employees VALUES (1, 'Lou', 'Beam', '2020-01-01'), (2, 'Mo', 'Spark', '2021-01-01'), (3, 'Nia', 'Glow', '2022-01-01');
INSERT INTO lanterns VALUES (1, 'Storm', 'Brandt', 40, 20), (2, 'Moth', 'Brandt', 25, 9), (3, 'Reed', 'Olsen', 12, 15);
INSERT INTO orders VALUES (1, 1, 'web', CURRENT_DATE - 20, 5), (2, 1, 'counter', '2024-07-02', 0), (3, 2, 'web', '2023-03-01', 5), (4, 2, 'fair', '2023-05-01', 0);
INSERT INTO order_lines VALUES (1, 1, 1, 2, 40), (2, 1, 3, 1, 12), (3, 2, 2, 1, 25), (4, 3, 3, 10, 12), (5, 4, 2, 2, 20);
INSERT INTO returns VALUES (1, 2, '2024-08-10', 1, 12), (2, 4, '2023-04-01', 5, 60);
ANALYZE;
