-- A lodge: cabins on storeys that visitors stay in, dues that they pay by a day, repairs that helpers are assigned to and that
-- end, walks that are joined by whoever likes.
CREATE TABLE kinds (kind_id int PRIMARY KEY, name text NOT NULL);
CREATE TABLE helpers (helper_id int PRIMARY KEY, full_name text NOT NULL);
CREATE TABLE cabins (cabin_id int PRIMARY KEY, code text NOT NULL, storey int NOT NULL, kind_id int NOT NULL REFERENCES kinds, keeper_id int REFERENCES helpers);
CREATE TABLE visitors (visitor_id int PRIMARY KEY, full_name text NOT NULL, sex text NOT NULL, born_on date NOT NULL);
CREATE TABLE bookings (booking_id int PRIMARY KEY, cabin_id int NOT NULL REFERENCES cabins, visitor_id int NOT NULL REFERENCES visitors, booked_on date NOT NULL,
	check_in date NOT NULL, check_out date NOT NULL, channel text, outcome text NOT NULL, cancelled_on date);
CREATE TABLE dues (due_id int PRIMARY KEY, visitor_id int NOT NULL REFERENCES visitors, amount numeric NOT NULL, billed_on date NOT NULL, paid_on date);
CREATE TABLE repairs (repair_id int PRIMARY KEY, cabin_id int NOT NULL REFERENCES cabins, assigned_helper_id int REFERENCES helpers, opened_at timestamp, answered_at timestamp,
	closed_at timestamp, insured boolean NOT NULL, stage text NOT NULL);
CREATE TABLE walks (walk_id int PRIMARY KEY, visitor_id int NOT NULL REFERENCES visitors, helper_id int NOT NULL REFERENCES helpers, walked_on date NOT NULL, hours numeric NOT NULL, no_show boolean NOT NULL);
INSERT INTO kinds VALUES (1, 'Hut'), (2, 'Tower'), (3, 'Barn');
INSERT INTO helpers VALUES (1, 'Ann Bell'), (2, 'Bo Cain'), (3, 'Cy Dorn');
INSERT INTO cabins VALUES (1, 'C-1', 1, 1, 1), (2, 'C-2', 2, 1, 1), (3, 'C-3', 2, 2, 2), (4, 'C-4', 3, 3, NULL);
INSERT INTO visitors VALUES (1, 'Dee Eck', 'female', '1950-04-01'), (2, 'Flo Gant', 'female', '1990-04-01'), (3, 'Hal Ives', 'male', '1980-04-01'), (4, 'Jo Kerr', 'male', '2001-04-01');
INSERT INTO bookings VALUES
	(1, 1, 1, current_date - 400, current_date - 380, current_date - 378, NULL, 'stayed', NULL),
	(2, 1, 2, current_date - 400, current_date - 350, current_date - 340, NULL, 'no_show', NULL),
	(3, 2, 1, current_date - 395, current_date - 100, current_date - 97, 'web', 'stayed', NULL),
	(4, 3, 3, current_date - 3, current_date + 20, current_date + 26, 'web', 'planned', NULL),
	(5, 3, 4, current_date - 390, current_date - 370, current_date - 369, NULL, 'called off', current_date),
	(6, 4, 3, current_date, current_date, current_date + 1, 'phone', 'called off', current_date);
INSERT INTO dues VALUES (1, 1, 50, current_date - 90, current_date - 80), (2, 1, 30, current_date - 60, NULL), (3, 2, 20, current_date - 60, NULL), (4, 3, 70, current_date, current_date), (5, 4, 90, current_date - 800, current_date - 790);
INSERT INTO repairs VALUES
	(1, 1, 1, current_date - 40, current_date - 39, current_date - 30, true, 'done'), (2, 2, NULL, current_date - 20, NULL, NULL, false, 'new'),
	(3, 3, 2, current_date - 9, current_date - 8, current_date - 7, false, 'done'), (4, 1, 2, current_date - 60, current_date - 7, NULL, true, 'begun'),
	(5, 4, NULL, current_date, NULL, NULL, true, 'new');
INSERT INTO walks VALUES (1, 1, 1, current_date - 50, 2, false), (2, 2, 1, current_date - 50, 2, true), (3, 3, 2, current_date - 20, 4, false), (4, 3, 3, current_date - 10, 1.5, true);
