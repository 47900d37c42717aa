-- Farms that deliver to markets, with stalls that are let, bookings of tours and invoices.
CREATE TABLE growers (id int PRIMARY KEY, name text NOT NULL, village text NOT NULL);
CREATE TABLE markets (id int PRIMARY KEY, name text NOT NULL, town text);
CREATE TABLE deliveries (id int PRIMARY KEY, grower_id int NOT NULL REFERENCES growers, market_id int NOT NULL REFERENCES markets,
	crop text NOT NULL, delivered_on date NOT NULL, complaint text);
CREATE TABLE stalls (id int PRIMARY KEY, name text NOT NULL, market_id int NOT NULL REFERENCES markets, rent_min int NOT NULL, rent_max int NOT NULL);
CREATE TABLE tours (id int PRIMARY KEY, grower_id int NOT NULL REFERENCES growers, guest text NOT NULL, booked_on date NOT NULL, tour_on date NOT NULL);
INSERT INTO growers VALUES (1, 'Ada Moss', 'Elm'), (2, 'Ben Reed', 'Elm'), (3, 'Cid Fern', 'Oak');
INSERT INTO markets VALUES (1, 'Old Market', 'York'), (2, 'Quay', 'Hull'), (3, 'Green', NULL), (4, 'Hill', NULL);
INSERT INTO deliveries VALUES (1, 1, 1, 'kale', '2026-09-01', NULL), (2, 1, 1, 'kale', '2026-09-08', NULL), (3, 1, 1, 'leek', '2026-09-15', 'late'),
	(4, 2, 1, 'leek', '2026-09-02', NULL), (5, 2, 2, 'beet', '2026-09-03', 'late'), (6, 3, 3, 'beet', '2026-09-04', 'wilted'), (7, 1, 1, 'kale', '2026-09-22', NULL);
INSERT INTO stalls VALUES (1, 'North', 1, 40, 90), (2, 'South', 1, 20, 60), (3, 'East', 2, 70, 80);
INSERT INTO tours SELECT i, 1 + i % 3, 'Guest ' || i, current_date - i, current_date - i + 40 FROM generate_series(1, 60) i;
