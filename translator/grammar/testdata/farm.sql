-- Farms that deliver to markets, with lots that were bought, orders and what was paid for them.
CREATE TABLE advisers (id int PRIMARY KEY, name text NOT NULL, dept text NOT NULL);
CREATE TABLE villages (id int PRIMARY KEY, name text NOT NULL, grade int NOT NULL);
CREATE TABLE growers (id int PRIMARY KEY, name text NOT NULL, tier text NOT NULL, village_id int NOT NULL REFERENCES villages,
	adviser_id int NOT NULL REFERENCES advisers, joined_on date NOT NULL);
CREATE TABLE markets (id int PRIMARY KEY, code text NOT NULL, name text NOT NULL, town text);
CREATE TABLE deliveries (id int PRIMARY KEY, grower_id int NOT NULL REFERENCES growers, market_id int NOT NULL REFERENCES markets,
	kind text NOT NULL, crop text NOT NULL, delivered_on date NOT NULL, driver int NOT NULL, complaint text);
CREATE TABLE marks (id int PRIMARY KEY, grower_id int NOT NULL REFERENCES growers, points int NOT NULL, given_on date NOT NULL, venue text NOT NULL);
CREATE TABLE lots (id int PRIMARY KEY, buyer text NOT NULL, market_id int NOT NULL REFERENCES markets, weight_kg int NOT NULL, packed_by text NOT NULL);
CREATE TABLE orders (id int PRIMARY KEY, ordered_on date NOT NULL, total_price int NOT NULL);
CREATE TABLE payments (id int PRIMARY KEY, order_id int NOT NULL REFERENCES orders, paid_on date NOT NULL, amount int NOT NULL);
CREATE TABLE pickers (id int PRIMARY KEY, name text NOT NULL, hired_on date NOT NULL, left_on date);
CREATE TABLE visits (id int PRIMARY KEY, began_on date NOT NULL, ended_on date, status text NOT NULL);
COMMENT ON COLUMN visits.status IS 'A active, E ended, C cancelled before arrival';
CREATE TABLE campaigns (id int PRIMARY KEY, name text NOT NULL, start_date date NOT NULL, end_date date);
CREATE TABLE grower_notes (grower_id int NOT NULL REFERENCES growers, note_no int NOT NULL, PRIMARY KEY (grower_id, note_no));
CREATE TABLE routes (id int PRIMARY KEY, name text NOT NULL, distance_km int NOT NULL);
INSERT INTO campaigns VALUES (1, 'Leeks', '2020-01-01', NULL), (2, 'Kale', '2020-01-01', '2020-02-01'), (3, 'Beets', current_date + 400, current_date + 500);
INSERT INTO campaigns SELECT i, 'Past ' || i, date '2019-01-01' + i, date '2019-03-01' + i FROM generate_series(4, 60) i;
INSERT INTO visits SELECT i, date '2026-01-01' + i, CASE WHEN i % 3 = 1 THEN date '2026-01-05' + i END, (ARRAY['A', 'E', 'C'])[1 + i % 3] FROM generate_series(1, 60) i;
INSERT INTO routes VALUES (1, 'North', 90), (2, 'South', 70), (3, 'East', 20);
INSERT INTO advisers VALUES (1, 'Dot Hay', 'Press'), (2, 'Eli Ash', 'Trade'), (3, 'Flo Kay', 'Marks');
INSERT INTO villages VALUES (1, 'Elm', 1), (2, 'Oak', 2);
INSERT INTO growers VALUES (1, 'Ada Moss', 'gold', 1, 1, '2020-01-01'), (2, 'Ben Reed', 'basic', 1, 2, '2021-01-01'), (3, 'Cid Fern', 'gold', 2, 2, '2022-01-01');
INSERT INTO markets VALUES (1, 'OM', 'Old Market', 'York'), (2, 'QU', 'Quay', 'Hull'), (3, 'GR', 'Green', NULL), (4, 'EX', 'Express', NULL);
INSERT INTO deliveries VALUES (1, 1, 1, 'E', 'kale', '2026-09-01', 7, NULL), (2, 1, 1, 'P', 'kale', '2026-09-08', 7, NULL),
	(3, 1, 1, 'P', 'leek', '2026-09-15', 8, 'late'), (4, 2, 1, 'E', 'leek', '2026-09-02', 7, NULL), (5, 2, 2, 'P', 'beet', '2026-09-03', 9, 'late'),
	(6, 3, 4, 'P', 'beet', '2026-09-04', 9, 'wilted'), (7, 1, 1, 'E', 'kale', '2026-09-22', 8, NULL);
INSERT INTO marks VALUES (1, 1, 9, '2026-01-01', 'Barn'), (2, 1, 7, '2026-02-01', 'Hall'), (3, 2, 8, '2026-01-01', 'Barn');
INSERT INTO lots VALUES (1, 'Ivy Co', 1, 30, 'Kim Bay'), (2, 'Sun Co', 2, 40, 'Lou Dale');
INSERT INTO orders VALUES (1, '2026-03-01', 100), (2, '2026-04-01', 200);
INSERT INTO payments VALUES (1, 1, '2026-03-05', 60), (2, 2, '2026-04-05', 200);
INSERT INTO pickers VALUES (1, 'Fay Lea', '2020-05-01', NULL), (2, 'Gus Orr', current_date, NULL), (3, 'Hal Dew', '2019-05-01', '2022-05-01');
