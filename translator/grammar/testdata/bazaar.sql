-- A bazaar: buyers have ordered, reviewed and returned wares, which are in groups
-- that have groups below them; a view has summed up already.
CREATE TABLE groups (id integer PRIMARY KEY, name text NOT NULL UNIQUE, parent_id integer REFERENCES groups);
CREATE TABLE wares (id integer PRIMARY KEY, name text NOT NULL UNIQUE, group_id integer NOT NULL REFERENCES groups, price numeric NOT NULL, stock integer NOT NULL, listed_on date NOT NULL);
CREATE TABLE buyers (id integer PRIMARY KEY, name text NOT NULL, joined_on date NOT NULL);
CREATE TABLE orders (id integer PRIMARY KEY, buyer_id integer NOT NULL REFERENCES buyers, placed_on date NOT NULL, state text NOT NULL, channel text NOT NULL, total numeric NOT NULL);
CREATE TABLE order_lines (order_id integer NOT NULL REFERENCES orders, ware_id integer NOT NULL REFERENCES wares, units integer NOT NULL, PRIMARY KEY (order_id, ware_id));
CREATE TABLE verdicts (id integer PRIMARY KEY, buyer_id integer NOT NULL REFERENCES buyers, ware_id integer NOT NULL REFERENCES wares, rating integer NOT NULL, given_on date NOT NULL);
CREATE VIEW monthly AS SELECT date_trunc('month', placed_on)::date AS month, sum(total) AS revenue FROM orders WHERE state <> 'void' GROUP BY 1;
INSERT INTO groups VALUES (1, 'Home', NULL), (2, 'Light', 1), (3, 'Lanterns', 2), (4, 'Garden', NULL);
INSERT INTO wares VALUES (1, 'Lamp', 2, 20, 3, '2024-04-01'), (2, 'Lantern', 3, 30, 2, '2023-01-01'), (3, 'Rake', 4, 15, 9, '2024-04-02');
INSERT INTO buyers VALUES (1, 'Oda Pike', '2020-01-01'), (2, 'Pia Quin', '2021-01-01'), (3, 'Ron Sax', '2022-01-01');
INSERT INTO orders VALUES (1, 1, '2024-04-05', 'done', 'web', 60), (2, 2, '2024-05-05', 'void', 'web', 30), (3, 1, '2024-05-06', 'done', 'shop', 15);
INSERT INTO order_lines VALUES (1, 1, 3), (2, 2, 1), (3, 3, 1);
INSERT INTO verdicts VALUES (1, 3, 1, 5, '2024-04-03'), (2, 3, 2, 2, '2024-04-03'), (3, 1, 3, 4, '2024-05-09');
