-- A bakery: ranges within ranges, rows that a code takes back, standing orders that go
-- on until they are terminated, bakers who have left.
CREATE TABLE ranges (id integer PRIMARY KEY, name text NOT NULL, upper_id integer REFERENCES ranges);
COMMENT ON COLUMN ranges.upper_id IS 'range that it belongs to';
CREATE TABLE bakers (id integer PRIMARY KEY, name text NOT NULL, born_on date NOT NULL, hired_on date NOT NULL, until date);
COMMENT ON COLUMN bakers.until IS 'set when the person leaves';
CREATE TABLE loaves (id integer PRIMARY KEY, name text NOT NULL, range_id integer NOT NULL REFERENCES ranges, baker_id integer NOT NULL REFERENCES bakers, added_on date NOT NULL, tst char(1) NOT NULL CHECK (tst IN ('Y', 'N')));
COMMENT ON TABLE loaves IS 'breads or cakes';
COMMENT ON COLUMN loaves.tst IS 'test record';
CREATE TABLE standing_orders (id integer PRIMARY KEY, contract text NOT NULL UNIQUE, loaf_id integer NOT NULL REFERENCES loaves, pieces integer NOT NULL, started_on date NOT NULL, terminated_on date);
CREATE TABLE gripes (id integer PRIMARY KEY, loaf_id integer NOT NULL REFERENCES loaves, reason text NOT NULL, came_on date NOT NULL);
INSERT INTO ranges VALUES (1, 'Rustic', NULL), (2, 'Rye', 1), (3, 'Spelt', 1), (4, 'Sweet', NULL);
INSERT INTO bakers VALUES (1, 'Dee Eads', '1980-01-01', '2020-01-01', NULL), (2, 'Eli Frey', '1990-01-01', '2021-01-01', '2024-01-31'), (3, 'Flo Gray', '1985-01-01', '2024-02-01', NULL);
INSERT INTO loaves VALUES (1, 'Cob', 2, 1, '2023-01-01', 'N'), (2, 'Plait', 2, 1, '2024-02-01', 'N'), (3, 'Dummy', 3, 2, '2024-03-01', 'Y'), (4, 'Bun', 4, 3, '2024-04-01', 'N');
INSERT INTO standing_orders VALUES (1, 'S-1', 1, 20, '2023-01-01', NULL), (2, 'S-2', 2, 10, '2024-02-01', '2024-05-01'), (3, 'S-3', 4, 40, '2022-04-01', '2024-06-01');
INSERT INTO gripes VALUES (1, 1, 'stale', '2024-01-01'), (2, 1, 'burnt', '2024-02-01'), (3, 2, 'stale', '2024-03-01');
