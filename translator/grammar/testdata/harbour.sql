-- A harbour: fleets within fleets, rows that a flag's comment takes back, moorings
-- that go on until they are cancelled, pilots who have gone.
CREATE TABLE fleets (id integer PRIMARY KEY, name text NOT NULL, parent_id integer REFERENCES fleets);
CREATE TABLE pilots (id integer PRIMARY KEY, name text NOT NULL, born_on date NOT NULL, hired_on date NOT NULL, gone_on date);
COMMENT ON COLUMN pilots.gone_on IS 'last day of employment';
CREATE TABLE boats (id integer PRIMARY KEY, name text NOT NULL, fleet_id integer NOT NULL REFERENCES fleets, pilot_id integer REFERENCES pilots, registered_on date NOT NULL, void boolean NOT NULL);
COMMENT ON TABLE boats IS 'vessels and rafts';
COMMENT ON COLUMN boats.void IS 'entered by mistake, does not count';
CREATE TABLE moorings (id integer PRIMARY KEY, mooring_no text NOT NULL UNIQUE, boat_id integer NOT NULL REFERENCES boats, berths integer NOT NULL, started_on date NOT NULL, cancelled_on date);
CREATE TABLE defects (id integer PRIMARY KEY, boat_id integer NOT NULL REFERENCES boats, state text NOT NULL, found_on date NOT NULL);
INSERT INTO fleets VALUES (1, 'North', NULL), (2, 'Fjord', 1), (3, 'Sound', 1), (4, 'South', NULL);
INSERT INTO pilots VALUES (1, 'Ann Bell', '1980-01-01', '2020-01-01', NULL), (2, 'Bo Cain', '1990-01-01', '2021-01-01', '2024-01-31'), (3, 'Cy Dorn', '1985-01-01', '2024-02-01', NULL);
INSERT INTO boats VALUES (1, 'Gull', 2, 1, '2023-01-01', false), (2, 'Heron', 2, 1, '2024-02-01', false), (3, 'Ibis', 3, 2, '2024-03-01', true), (4, 'Kite', 4, 3, '2024-04-01', false);
INSERT INTO moorings VALUES (1, 'M-1', 1, 2, '2023-01-01', NULL), (2, 'M-2', 2, 1, '2024-02-01', '2024-05-01'), (3, 'M-3', 4, 4, '2022-04-01', '2024-06-01');
INSERT INTO defects VALUES (1, 1, 'broken', '2024-01-01'), (2, 1, 'torn', '2024-02-01'), (3, 2, 'broken', '2024-03-01');
