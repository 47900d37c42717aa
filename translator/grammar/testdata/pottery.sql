-- A pottery: pots of orders, fired from lots of clay, painted by the hour.
CREATE TABLE makers (id int PRIMARY KEY, name text NOT NULL, role text NOT NULL, hired_on date NOT NULL, left_on date);
CREATE TABLE suppliers (id int PRIMARY KEY, name text NOT NULL, country text NOT NULL, rating numeric(2,1));
CREATE TABLE buyers (id int PRIMARY KEY, name text NOT NULL, city text NOT NULL);
CREATE TABLE clay_lots (lot_no text PRIMARY KEY, supplier_id int NOT NULL REFERENCES suppliers, clay text NOT NULL,
	weight_kg numeric(9,1) NOT NULL, price_per_kg numeric(7,2) NOT NULL, arrived_on date NOT NULL);
CREATE TABLE orders (id int PRIMARY KEY, buyer_id int NOT NULL REFERENCES buyers, ordered_on date NOT NULL, due_on date NOT NULL,
	delivered_on date, total_price numeric(10,2) NOT NULL);
CREATE TABLE pots (id int PRIMARY KEY, order_id int NOT NULL REFERENCES orders, name text NOT NULL, weight_kg numeric(8,1), mark text);
CREATE TABLE firings (id int PRIMARY KEY, pot_id int NOT NULL REFERENCES pots, maker_id int NOT NULL REFERENCES makers,
	lot_no text NOT NULL REFERENCES clay_lots, fired_on date NOT NULL, outcome text NOT NULL);
CREATE TABLE painters (id int PRIMARY KEY, name text NOT NULL, hourly_rate numeric(6,2) NOT NULL);
CREATE TABLE paintings (id int PRIMARY KEY, pot_id int NOT NULL REFERENCES pots, painter_id int NOT NULL REFERENCES painters,
	painted_on date NOT NULL, hours numeric(4,1) NOT NULL);
INSERT INTO makers VALUES (1, 'Ona Bly', 'maker', '2015-03-01', NULL), (2, 'Per Kuhn', 'apprentice', '2019-09-01', NULL), (3, 'Ria Vos', 'maker', '2012-01-01', '2023-06-30');
INSERT INTO suppliers VALUES (1, 'Clay & Co', 'GB', 4.5), (2, 'Terra', 'ES', 3.5);
INSERT INTO buyers VALUES (1, 'Moor Inn', 'York'), (2, 'Sea View', 'Hull');
INSERT INTO clay_lots VALUES ('C1', 1, 'stoneware', 500, 1.2, '2023-01-10'), ('C2', 1, 'porcelain', 100, 4, '2023-02-10'), ('C3', 2, 'stoneware', 900, 1.1, '2023-03-10');
INSERT INTO orders VALUES (1, 1, '2023-04-01', '2023-06-01', '2023-06-10', 900), (2, 2, '2023-05-01', '2023-07-01', '2023-06-20', 400), (3, 1, '2023-06-01', '2023-08-01', NULL, 700);
INSERT INTO pots SELECT i, 1 + i % 3, (ARRAY['Jug', 'Bowl', 'Vase'])[1 + i % 3], 1 + i * 0.5, CASE WHEN i % 2 = 0 THEN 'OB' END FROM generate_series(1, 24) i;
INSERT INTO firings SELECT i, i, 1 + i % 3, 'C' || (1 + i % 3), date '2023-06-01' + i, CASE WHEN i % 5 = 0 THEN 'cracked' ELSE 'good' END FROM generate_series(1, 24) i;
INSERT INTO painters VALUES (1, 'Ida Frey', 20), (2, 'Lou Sand', 30);
INSERT INTO paintings SELECT i, i, 1 + (i % 4) / 3, date '2023-07-01' + i, 1 + i % 4 FROM generate_series(1, 20) i;
-- two kinds of people, of whom a first name says nothing
CREATE TABLE guides (id int PRIMARY KEY, first_name text NOT NULL, last_name text NOT NULL, job_title text NOT NULL);
CREATE TABLE kinds (code text PRIMARY KEY, description text NOT NULL, seats int NOT NULL);
CREATE TABLE guests (id int PRIMARY KEY, first_name text NOT NULL, last_name text NOT NULL, born_on date NOT NULL);
CREATE TABLE tours (id int PRIMARY KEY, guest_id int NOT NULL REFERENCES guests, helper_id int NOT NULL REFERENCES guides, kind text NOT NULL REFERENCES kinds,
	town_id int NOT NULL, toured_on date NOT NULL, joint_no int);
CREATE TABLE towns (id int PRIMARY KEY, name text NOT NULL);
ALTER TABLE tours ADD FOREIGN KEY (town_id) REFERENCES towns;
CREATE TABLE payments (id int PRIMARY KEY, tour_id int NOT NULL REFERENCES tours, paid_on date NOT NULL, amount numeric(8,2) NOT NULL, method text NOT NULL);
INSERT INTO guides VALUES (1, 'Ann', 'Lee', 'helper'), (2, 'Bob', 'Ray', 'warden'), (3, 'Cy', 'Orr', 'helper');
INSERT INTO kinds VALUES ('K', 'Kiln tour', 10), ('S', 'Studio tour', 12), ('W', 'Workshop', 30);
INSERT INTO guests SELECT i, (ARRAY['Ann', 'Bob', 'Dee'])[1 + i % 3], 'Kay' || i, date '1980-01-01' + i FROM generate_series(1, 9) i;
INSERT INTO towns VALUES (1, 'Lund'), (2, 'Rye');
INSERT INTO tours SELECT i, 1 + i % 9, 1 + i % 3, (ARRAY['K', 'S', 'W'])[1 + i % 3], 1 + i % 2, date '2023-05-01' + i, i FROM generate_series(1, 12) i;
INSERT INTO payments SELECT i, i, date '2023-05-02' + i, 10 + i, CASE WHEN i % 2 = 0 THEN 'cash' ELSE 'card' END FROM generate_series(1, 12) i;
CREATE TABLE coupons (code text PRIMARY KEY, percent_off int NOT NULL, valid_from date NOT NULL, valid_until date NOT NULL);
INSERT INTO coupons VALUES ('SPRING', 10, '2023-03-01', '2023-05-15'), ('SUMMER', 5, '2023-05-10', '2023-08-31');
CREATE TABLE bills (id int PRIMARY KEY, status text NOT NULL, method text NOT NULL, closed_on date);
INSERT INTO bills VALUES (1, 'paid', 'cash', '2023-05-01'), (2, 'open', 'cash', NULL), (3, 'paid', 'card', '2023-05-03');
