-- A candle shop: an order has a total with its shipping fee, and each of its lines has its own.
CREATE TABLE kinds (kind_id int PRIMARY KEY, name text NOT NULL);
CREATE TABLE candles (candle_id int PRIMARY KEY, name text NOT NULL, kind_id int NOT NULL REFERENCES kinds, list_price numeric(8,2) NOT NULL);
CREATE TABLE customers (customer_id int PRIMARY KEY, first_name text NOT NULL, last_name text NOT NULL, town text NOT NULL, birth_date date);
CREATE TABLE orders (order_id int PRIMARY KEY, order_number text NOT NULL UNIQUE, customer_id int NOT NULL REFERENCES customers, placed_on date NOT NULL, shipping_fee numeric(8,2) NOT NULL, total_amount numeric(9,2) NOT NULL);
CREATE TABLE order_lines (order_line_id int PRIMARY KEY, order_id int NOT NULL REFERENCES orders, candle_id int NOT NULL REFERENCES candles, quantity int NOT NULL, unit_price numeric(8,2) NOT NULL, line_total numeric(9,2) NOT NULL);
CREATE TABLE payments (payment_id int PRIMARY KEY, order_id int NOT NULL REFERENCES orders, amount numeric(9,2) NOT NULL, paid_on date NOT NULL);
INSERT INTO kinds VALUES (1, 'Tapers'), (2, 'Pillars');
INSERT INTO candles VALUES (1, 'Slim', 1, 4), (2, 'Stout', 2, 9), (3, 'Tall', 2, 12);
INSERT INTO customers VALUES (1, 'Ida', 'Quist', 'Ribe', '1980-05-02'), (2, 'Jon', 'Rask', 'Vejle', '1991-08-09'), (3, 'Kaja', 'Sund', 'Ribe', NULL);
INSERT INTO orders VALUES (1, 'C-1', 1, '2024-02-01', 5, 27), (2, 'C-2', 2, '2024-03-01', 5, 65), (3, 'C-3', 1, '2025-01-05', 40, 52);
INSERT INTO order_lines VALUES (1, 1, 1, 2, 4, 8), (2, 1, 2, 1, 9, 9), (3, 1, 1, 1, 5, 5), (4, 2, 3, 5, 12, 60), (5, 3, 3, 1, 12, 12);
INSERT INTO payments VALUES (1, 1, 27, '2024-02-02'), (2, 2, 65, '2024-03-02');
