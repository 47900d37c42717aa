-- A chain of larders: what they have in stock is counted at each of them.
CREATE TABLE stores (store_id int PRIMARY KEY, town text NOT NULL, phone text NOT NULL);
CREATE TABLE cheeses (cheese_id int PRIMARY KEY, name text NOT NULL UNIQUE, price numeric(8,2) NOT NULL);
CREATE TABLE stock (store_id int NOT NULL REFERENCES stores, cheese_id int NOT NULL REFERENCES cheeses, quantity int NOT NULL, PRIMARY KEY (store_id, cheese_id));
CREATE TABLE members (member_id int PRIMARY KEY, name text NOT NULL UNIQUE, town text NOT NULL, newsletter boolean NOT NULL, registered_on date NOT NULL);
CREATE TABLE orders (order_id int PRIMARY KEY, member_id int NOT NULL REFERENCES members, store_id int REFERENCES stores, channel text NOT NULL CHECK (channel IN ('web', 'counter')), payment_method text NOT NULL, ordered_at timestamp NOT NULL, delivery_date date NOT NULL);
CREATE TABLE parcels (parcel_id int PRIMARY KEY, order_id int NOT NULL REFERENCES orders, carrier text NOT NULL, shipped_on date NOT NULL, promised_on date NOT NULL, delivered_on date);
CREATE TABLE repairs (repair_id int PRIMARY KEY, store_id int NOT NULL REFERENCES stores, received_on date NOT NULL, finished_on date);
INSERT INTO stores VALUES (1, 'York', '01904 1'), (2, 'Leeds', '0113 2');
INSERT INTO cheeses VALUES (1, 'Brie', 4), (2, 'Cheddar', 6), (3, 'Stilton', 9);
INSERT INTO stock VALUES (1, 1, 0), (1, 2, 5), (1, 3, 0), (2, 1, 7), (2, 2, 0), (2, 3, 0);
INSERT INTO members VALUES (1, 'Ann Rind', 'Hull', true, '2023-01-01'), (2, 'Bob Curd', 'Hull', true, '2023-02-01'), (3, 'Cat Whey', 'Bath', true, '2023-03-01'), (4, 'Dan Veal', 'Bath', false, '2023-04-01');
INSERT INTO orders VALUES (1, 1, NULL, 'web', 'card', '2024-03-30 10:00', '2024-04-02'), (2, 1, 1, 'counter', 'cash', '2024-03-05 10:00', '2024-03-05'), (3, 2, NULL, 'web', 'card', '2024-02-28 10:00', '2024-03-01');
INSERT INTO parcels VALUES (1, 1, 'Fleet', '2024-03-31', '2024-04-01', '2024-04-02'), (2, 3, 'Fleet', '2024-02-28', '2024-02-29', '2024-03-01');
INSERT INTO repairs VALUES (1, 1, '2024-01-01', '2024-01-11'), (2, 1, '2024-01-01', '2024-01-05'), (3, 2, '2024-02-01', NULL);
ANALYZE;
