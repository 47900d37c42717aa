-- A firm that services the lifts of others: people who leave, lifts that are taken out of use, faults that are cleared, agreements
-- of which each has an end, jobs with several times, numbers of a stock beside the level at which it is ordered anew.
CREATE TABLE owners (owner_id int PRIMARY KEY, name text NOT NULL);
CREATE TABLE agreements (agreement_no text PRIMARY KEY, owner_id int NOT NULL REFERENCES owners, level text NOT NULL, begins_on date NOT NULL, ends_on date NOT NULL,
	yearly_fee numeric NOT NULL, cancelled_on date);
CREATE TABLE houses (house_id int PRIMARY KEY, owner_id int NOT NULL REFERENCES owners, name text NOT NULL, built_on date NOT NULL);
CREATE TABLE lifts (lift_id int PRIMARY KEY, house_id int NOT NULL REFERENCES houses, serial_no text UNIQUE NOT NULL, maker text NOT NULL, installed_on date NOT NULL, check_due date, decommissioned_on date);
CREATE TABLE fitters (fitter_id int PRIMARY KEY, full_name text NOT NULL, job text NOT NULL, hired_on date NOT NULL, left_on date, foreman_id int REFERENCES fitters);
CREATE TABLE faults (fault_id int PRIMARY KEY, lift_id int NOT NULL REFERENCES lifts, code text NOT NULL, raised_at timestamp NOT NULL, cleared_at timestamp);
COMMENT ON COLUMN faults.cleared_at IS 'null while the fault is still active';
CREATE TABLE jobs (job_no text PRIMARY KEY, lift_id int NOT NULL REFERENCES lifts, kind text NOT NULL CHECK (kind IN ('repair', 'check')), urgency int NOT NULL, foreman_id int REFERENCES fitters,
	status text NOT NULL CHECK (status IN ('asked', 'completed', 'cancelled')), asked_at timestamp NOT NULL, due_on date, completed_at timestamp);
CREATE TABLE materials (material_id int PRIMARY KEY, name text NOT NULL, supplier text NOT NULL, in_stock int NOT NULL, reorder_level int NOT NULL, unit_cost numeric NOT NULL);
INSERT INTO owners VALUES (1, 'Alder Homes'), (2, 'Birch Estates'), (3, 'Cedar Flats');
INSERT INTO agreements VALUES ('A-1', 1, 'basic', current_date - 100, current_date + 20, 500, NULL), ('A-2', 1, 'full', current_date - 800, current_date - 70, 900, NULL),
	('A-3', 2, 'full', current_date - 50, current_date + 25, 700, current_date - 5), ('A-4', 2, 'basic', current_date + 10, current_date + 375, 400, NULL);
INSERT INTO houses VALUES (1, 1, 'Mill Court', '1990-01-01'), (2, 2, 'Quay House', '2001-01-01');
INSERT INTO lifts VALUES (1, 1, 'L-1', 'Otter', '1995-01-01', current_date + 4, '2020-01-01'), (2, 1, 'L-2', 'Otter', '1999-01-01', current_date + 90, NULL), (3, 2, 'L-3', 'Kite', '2002-01-01', current_date + 7, NULL);
INSERT INTO fitters VALUES (1, 'Ann Bell', 'foreman', '2010-01-01', NULL, NULL), (2, 'Bo Cain', 'fitter', '2012-01-01', '2020-01-01', 1), (3, 'Cy Dorn', 'fitter', '2015-01-01', NULL, 1);
INSERT INTO faults VALUES (1, 2, 'DOOR', '2024-03-01', '2024-03-02'), (2, 2, 'DOOR', '2024-04-01', NULL), (3, 3, 'ROPE', '2024-05-01', NULL);
INSERT INTO jobs VALUES ('J-1', 2, 'repair', 1, 1, 'completed', current_date - 20, current_date - 5, current_date - 8), ('J-2', 2, 'check', 2, NULL, 'asked', current_date - 10, current_date + 5, NULL),
	('J-3', 3, 'repair', 1, 3, 'cancelled', current_date - 9, current_date + 6, NULL), ('J-4', 3, 'repair', 1, NULL, 'asked', current_date - 300, current_date + 1, NULL);
INSERT INTO materials VALUES (1, 'Rope', 'North', 4, 10, 5), (2, 'Door motor', 'South', 12, 6, 100);
