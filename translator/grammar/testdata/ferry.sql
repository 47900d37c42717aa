-- A ferry line: reminders that captains want, ships that are on loan since a day.
CREATE TABLE captains (id integer PRIMARY KEY, name text NOT NULL, reminders boolean NOT NULL);
CREATE TABLE ships (id integer PRIMARY KEY, name text NOT NULL UNIQUE, on_loan_since date);
INSERT INTO captains VALUES (1, 'Dee Eads', true), (2, 'Ed Frey', false);
INSERT INTO ships VALUES (1, 'Gull', '2023-05-01'), (2, 'Heron', NULL);
CREATE TABLE trips (id integer PRIMARY KEY, captain_id integer NOT NULL REFERENCES captains, ship_id integer NOT NULL REFERENCES ships, sailed_on date NOT NULL, meal_included boolean NOT NULL, commission numeric(6,4) NOT NULL);
CREATE TABLE purchases (id integer PRIMARY KEY, trip_id integer NOT NULL REFERENCES trips, item text NOT NULL);
CREATE TABLE defects (id integer PRIMARY KEY, ship_id integer NOT NULL REFERENCES ships, found_on date NOT NULL, closed_at timestamp, status text NOT NULL);
INSERT INTO trips VALUES (1, 1, 1, '2024-01-10', true, 0.05), (2, 2, 2, '2024-02-10', false, 0.1), (3, 1, 1, '2024-02-20', true, 0.25);
INSERT INTO purchases VALUES (1, 1, 'drink'), (2, 2, 'meal'), (3, 3, 'drink');
INSERT INTO defects VALUES (1, 1, '2024-01-02', NULL, 'open'), (2, 1, '2024-01-03', '2024-01-04 08:00', 'closed'), (3, 2, '2024-01-05', NULL, 'open'), (4, 1, '2024-02-05', NULL, 'open'), (5, 2, '2024-02-06', '2024-02-07 09:00', 'closed');
