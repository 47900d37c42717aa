-- A recording studio: discounts that artists get, microphones in repair since a day.
CREATE TABLE artists (id integer PRIMARY KEY, name text NOT NULL, discount boolean NOT NULL);
CREATE TABLE microphones (id integer PRIMARY KEY, name text NOT NULL UNIQUE, in_repair_since timestamp);
INSERT INTO artists VALUES (1, 'Flo Gray', false), (2, 'Gil Hale', true);
INSERT INTO microphones VALUES (1, 'M1', NULL), (2, 'M2', '2024-02-01 10:00'), (3, 'M3', '2024-03-01 10:00');
