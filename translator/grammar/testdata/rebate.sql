-- A shop that takes something off whole orders, which their lines do not say.
CREATE TABLE toys (toy_id int PRIMARY KEY, name text NOT NULL UNIQUE);
CREATE TABLE orders (order_id int PRIMARY KEY, discount_pct int NOT NULL, shipping_fee numeric(6,2) NOT NULL, ordered_at timestamp NOT NULL, shipped_at timestamp);
CREATE TABLE order_lines (order_id int NOT NULL REFERENCES orders, line_no int NOT NULL, toy_id int NOT NULL REFERENCES toys, quantity int NOT NULL, unit_price numeric(6,2) NOT NULL, PRIMARY KEY (order_id, line_no));
INSERT INTO toys VALUES (1, 'Top'), (2, 'Kite');
INSERT INTO orders VALUES (1, 10, 3, '2024-03-30', '2024-04-01'), (2, 0, 4, '2024-02-27', '2024-03-01');
INSERT INTO order_lines VALUES (1, 1, 1, 2, 5), (2, 1, 2, 1, 8);
ANALYZE;
