-- A depot: vans that are marked as deleted, drivers who have left, leases that
-- have ended, who checks a van, marks of drivers.
CREATE TABLE drivers (id integer PRIMARY KEY, name text NOT NULL, grade text NOT NULL, is_trainee boolean NOT NULL, hired_on date NOT NULL, left_on date);
CREATE TABLE vns (id integer PRIMARY KEY, name text NOT NULL, kind text NOT NULL, seats integer NOT NULL, is_deleted boolean NOT NULL);
COMMENT ON TABLE vns IS 'Vans of the depot (lorries)';
CREATE TABLE routes (id integer PRIMARY KEY, name text NOT NULL, checker_id integer NOT NULL REFERENCES drivers, state text NOT NULL, miles integer NOT NULL);
CREATE TABLE route_drivers (route_id integer REFERENCES routes, driver_id integer REFERENCES drivers, PRIMARY KEY (route_id, driver_id));
CREATE TABLE runs (id integer PRIMARY KEY, route_id integer NOT NULL REFERENCES routes, completed_on date NOT NULL);
CREATE TABLE leases (id integer PRIMARY KEY, lease_no text NOT NULL UNIQUE, van_id integer NOT NULL REFERENCES vns, amount numeric NOT NULL, ended_on date);
CREATE TABLE marks (id integer PRIMARY KEY, route_id integer NOT NULL REFERENCES routes, score integer NOT NULL);
INSERT INTO drivers VALUES (1, 'Lee Ives', 'veteran', false, '2020-01-01', NULL), (2, 'Max Jude', 'rookie', true, '2021-01-01', NULL), (3, 'Ned King', 'veteran', false, '2017-01-01', '2022-01-01');
INSERT INTO vns VALUES (1, 'Grey Heron One', 'box', 0, false), (2, 'Red Kite', 'bus', 9, false), (3, 'Old Gull', 'box', 0, true);
INSERT INTO routes VALUES (1, 'North', 1, 'completed', 90), (2, 'South', 2, 'planned', 40), (3, 'East', 1, 'completed', 70), (4, 'West', 2, 'billed', 20);
INSERT INTO route_drivers VALUES (1, 1), (1, 2), (2, 2), (3, 2);
INSERT INTO runs VALUES (1, 1, '2023-04-01'), (2, 3, '2024-10-01'), (3, 4, '2023-12-01');
INSERT INTO leases VALUES (1, 'L-7', 1, 20, NULL), (2, 'L-8', 2, 30, '2023-01-01');
INSERT INTO marks VALUES (1, 1, 5), (2, 1, 2), (3, 2, 3), (4, 3, 4);
