-- A vintner: what orders come to is told by their lines alone, and orders are called by two words.
CREATE TABLE customer_orders (order_id int PRIMARY KEY, ordered_at timestamp NOT NULL, status text NOT NULL);
CREATE TABLE order_lines (order_id int NOT NULL REFERENCES customer_orders, line_number int NOT NULL, quantity int NOT NULL, unit_price numeric(8,2) NOT NULL, PRIMARY KEY (order_id, line_number));
INSERT INTO customer_orders VALUES (1, '2024-01-01 09:00', 'paid'), (2, '2024-01-08 10:00', 'paid'), (3, '2024-01-09 10:00', 'paid');
INSERT INTO order_lines VALUES (1, 1, 1, 9), (2, 1, 1, 8), (3, 1, 10, 20);
