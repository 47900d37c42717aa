-- A ropery: states of orders that are told by days elsewhere, lands of makers, sheds and buyers, and how much lies where.
CREATE TABLE makers (id integer PRIMARY KEY, name text NOT NULL, land text NOT NULL);
CREATE TABLE kinds (id integer PRIMARY KEY, name text NOT NULL);
CREATE TABLE ropes (id integer PRIMARY KEY, name text NOT NULL, maker_id integer NOT NULL REFERENCES makers, colour text NOT NULL, kind_id integer NOT NULL REFERENCES kinds);
CREATE TABLE sheds (id integer PRIMARY KEY, city text NOT NULL, land text NOT NULL);
CREATE TABLE shelves (rope_id integer NOT NULL REFERENCES ropes, shed_id integer NOT NULL REFERENCES sheds, quantity integer NOT NULL, PRIMARY KEY (rope_id, shed_id));
CREATE TABLE buyers (id integer PRIMARY KEY, name text NOT NULL, land text NOT NULL);
CREATE TABLE orders (id integer PRIMARY KEY, order_number text NOT NULL UNIQUE, buyer_id integer NOT NULL REFERENCES buyers, placed_at timestamptz NOT NULL, status text NOT NULL CHECK (status IN ('paid', 'packed', 'coiled')));
CREATE TABLE order_lines (order_id integer NOT NULL REFERENCES orders, rope_id integer NOT NULL REFERENCES ropes, quantity integer NOT NULL, unit_price numeric(8,2) NOT NULL, PRIMARY KEY (order_id, rope_id));
CREATE TABLE parcels (id integer PRIMARY KEY, order_id integer NOT NULL REFERENCES orders, tag text NOT NULL, packed_at timestamptz NOT NULL, arrived_at timestamptz);
INSERT INTO makers VALUES (1, 'Twist & Co', 'Norway'), (2, 'Old Yarn', 'Wales');
INSERT INTO kinds VALUES (1, 'Lines'), (2, 'Cords');
INSERT INTO ropes VALUES (1, 'Hawser Line K12', 1, 'white', 1), (2, 'Deck Cord', 1, 'red', 2), (3, 'Bell Pull', 2, 'white', 2);
INSERT INTO sheds VALUES (1, 'Hull', 'England'), (2, 'Bergen', 'Norway');
INSERT INTO shelves VALUES (1, 1, 40), (2, 1, 0), (3, 2, 7);
INSERT INTO buyers VALUES (1, 'Ann Bell', 'England'), (2, 'Bo Cain', 'Norway');
INSERT INTO orders VALUES (1, 'R-100', 1, '2024-03-01 10:00+00', 'packed'), (2, 'R-101', 2, '2024-04-01 10:00+00', 'paid'), (3, 'R-102', 2, '2024-05-01 10:00+00', 'coiled'), (4, 'R-103', 1, '2024-05-02 10:00+00', 'coiled'), (5, 'R-104', 1, '2024-05-02 11:00+00', 'packed'), (6, 'R-105', 1, '2024-05-03 11:00+00', 'paid');
INSERT INTO order_lines VALUES (1, 1, 5, 9), (1, 2, 1, 4), (2, 3, 8, 2);
INSERT INTO parcels VALUES (1, 1, 'T-1', '2024-03-03 10:00+00', NULL);
