-- A chain of shops for lamps: orders with a total at a shop, their lines, what was paid for them, and parcels by several carriers.
CREATE TABLE shops (id int PRIMARY KEY, name text NOT NULL UNIQUE, city text NOT NULL);
CREATE TABLE buyers (id int PRIMARY KEY, name text NOT NULL UNIQUE, tier text NOT NULL CHECK (tier IN ('gold', 'silver')));
CREATE TABLE lamps (id int PRIMARY KEY, name text NOT NULL UNIQUE, price numeric(8,2) NOT NULL);
CREATE TABLE orders (id int PRIMARY KEY, buyer_id int NOT NULL REFERENCES buyers, shop_id int REFERENCES shops, ordered_at date NOT NULL, total numeric(8,2) NOT NULL, status text NOT NULL CHECK (status IN ('paid', 'cancelled')));
CREATE TABLE order_items (order_id int NOT NULL REFERENCES orders, lamp_id int NOT NULL REFERENCES lamps, quantity int NOT NULL, unit_price numeric(8,2) NOT NULL, PRIMARY KEY (order_id, lamp_id));
CREATE TABLE payments (id int PRIMARY KEY, order_id int NOT NULL REFERENCES orders, method text NOT NULL CHECK (method IN ('card', 'paypal')), amount numeric(8,2) NOT NULL, paid_at date NOT NULL);
CREATE TABLE shipments (id int PRIMARY KEY, order_id int NOT NULL REFERENCES orders, carrier text NOT NULL CHECK (carrier IN ('DHL', 'UPS')), shipped_at timestamp NOT NULL, delivered_at timestamp);
INSERT INTO shops VALUES (1, 'North Shop', 'York'), (2, 'South Shop', 'Bath');
INSERT INTO buyers VALUES (1, 'Ann Lee', 'gold'), (2, 'Bob Ray', 'silver'), (3, 'Cid Orr', 'gold');
INSERT INTO lamps VALUES (1, 'Alto', 10), (2, 'Basso', 50), (3, 'Corno', 5);
INSERT INTO orders VALUES (1, 1, 1, '2024-10-02', 80, 'paid'), (2, 1, 2, '2024-11-05', 10, 'paid'), (3, 2, 2, '2024-11-06', 60, 'paid'), (4, 3, NULL, '2024-12-01', 5, 'paid'), (5, 3, NULL, '2024-12-02', 500, 'cancelled'), (6, 1, NULL, '2024-09-01', 1, 'cancelled');
INSERT INTO order_items VALUES (1, 1, 2, 10), (1, 2, 1, 50), (2, 1, 1, 10), (3, 2, 1, 50), (3, 3, 2, 5), (4, 3, 1, 5);
INSERT INTO payments VALUES (1, 1, 'card', 70, '2024-10-03'), (2, 2, 'paypal', 10, '2024-11-05'), (3, 3, 'paypal', 40, '2024-11-07'), (4, 3, 'card', 15, '2024-12-07');
INSERT INTO shipments VALUES (1, 1, 'DHL', '2024-10-03', '2024-10-05'), (2, 2, 'DHL', '2024-11-06', '2024-11-10'), (3, 3, 'UPS', '2024-11-07', '2024-11-08'), (4, 4, 'UPS', '2024-12-02', NULL);
ANALYZE;
