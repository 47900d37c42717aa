-- A hire of tents: names that could be cut into other words, a day called by a preposition, hires that go on until they end,
-- money of which each bill has a time and each receipt another.
CREATE TABLE yards (yard_id int PRIMARY KEY, name text NOT NULL, town text NOT NULL, opened_on date NOT NULL, closed_on date);
CREATE TABLE units (unit_id int PRIMARY KEY, yard_id int NOT NULL REFERENCES yards, code text NOT NULL, width_m numeric NOT NULL);
CREATE TABLE clubs (club_id int PRIMARY KEY, name text NOT NULL, phone text, kind char(1) NOT NULL, since date NOT NULL);
COMMENT ON COLUMN clubs.kind IS 'S school, B business';
CREATE TABLE hires (hire_id int PRIMARY KEY, unit_id int NOT NULL REFERENCES units, club_id int NOT NULL REFERENCES clubs, start_on date NOT NULL, end_on date,
	daily_hire numeric NOT NULL, pledge numeric, source text NOT NULL);
COMMENT ON COLUMN hires.end_on IS 'last day of the hire; empty while it runs';
CREATE TABLE bills (bill_id int PRIMARY KEY, hire_id int NOT NULL REFERENCES hires, issued_on date NOT NULL, total numeric NOT NULL);
CREATE TABLE receipts (receipt_id int PRIMARY KEY, bill_id int NOT NULL REFERENCES bills, received_at timestamptz NOT NULL, amount numeric NOT NULL);
CREATE TABLE helpers (helper_id int PRIMARY KEY, full_name text NOT NULL, job text NOT NULL, yard_id int REFERENCES yards, pay numeric NOT NULL);
CREATE TABLE faults (fault_id int PRIMARY KEY, yard_id int NOT NULL REFERENCES yards, opened_at timestamptz NOT NULL, closed_at timestamptz, topic text NOT NULL);
COMMENT ON TABLE faults IS 'Defects and wishes of clubs';
INSERT INTO yards VALUES (1, 'Elm Yard', 'York', '2020-01-01', NULL), (2, 'Oak Yard', 'Hull', '2021-01-01', NULL), (3, 'Fir Yard', 'York', '2019-01-01', '2023-12-31');
INSERT INTO units VALUES (1, 1, 'T-1', 3), (2, 1, 'T-2', 4), (3, 2, 'T-3', 6), (4, 2, 'T-4', 6), (5, 1, 'T-5', 6);
INSERT INTO clubs VALUES (1, 'Robins', '1', 'S', '2021-05-01'), (2, 'Larks', NULL, 'B', '2023-02-01'), (3, 'Wrens', '3', 'B', '2024-03-01'), (4, 'Finches', NULL, 'S', '2023-08-01');
INSERT INTO hires VALUES (1, 1, 1, '2023-01-01', '2023-06-30', 10, 50, 'web'), (2, 2, 1, '2023-05-01', NULL, 90, NULL, 'phone'), (3, 3, 2, '2024-01-01', NULL, 20, 40, 'web'),
	(4, 4, 3, '2024-04-01', '2024-05-31', 30, 60, 'web');
INSERT INTO bills VALUES (1, 1, '2023-01-31', 300), (2, 2, '2024-04-30', 500), (3, 3, '2024-05-31', 200), (4, 4, '2024-05-31', 700);
INSERT INTO receipts VALUES (1, 1, '2023-02-10', 300), (2, 2, '2024-05-04', 500), (3, 3, '2024-06-03', 150), (4, 4, '2024-05-30', 700);
INSERT INTO helpers VALUES (1, 'Ann Bell', 'driver', 1, 2000), (2, 'Bo Cain', 'rigger', 2, 2100), (3, 'Cy Dorn', 'rigger', 1, 2200);
INSERT INTO faults VALUES (1, 1, '2024-01-01', '2024-01-05', 'leak'), (2, 1, '2024-02-01', NULL, 'leak'), (3, 2, '2024-03-01', NULL, 'zip');
