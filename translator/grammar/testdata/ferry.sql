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
CREATE TABLE depots (id integer PRIMARY KEY, name text NOT NULL);
CREATE TABLE parts (id integer PRIMARY KEY, name text NOT NULL, price_per_person numeric(6,2) NOT NULL);
CREATE TABLE stock_levels (depot_id integer NOT NULL REFERENCES depots, part_id integer NOT NULL REFERENCES parts, quantity integer NOT NULL, reorder_point integer NOT NULL, PRIMARY KEY (depot_id, part_id));
CREATE TABLE sailors (id integer PRIMARY KEY, first_name text NOT NULL, last_name text NOT NULL, depot_id integer NOT NULL REFERENCES depots, left_on date);
CREATE TABLE trainings (id integer PRIMARY KEY, sailor_id integer NOT NULL REFERENCES sailors, held_on date NOT NULL, days integer NOT NULL);
CREATE TABLE charters (id integer PRIMARY KEY, ship_id integer NOT NULL REFERENCES ships, chartered_on date NOT NULL, total_amount numeric(8,2) NOT NULL, deposit_paid numeric(8,2) NOT NULL);
INSERT INTO depots VALUES (1, 'East Quay'), (2, 'West Quay');
INSERT INTO parts VALUES (1, 'Bolt', 2), (2, 'Rope', 3), (3, 'Sail', 4);
INSERT INTO stock_levels VALUES (1, 1, 0, 5), (1, 2, 7, 5), (2, 1, 0, 5), (2, 2, 5, 5), (2, 3, 6, 5);
INSERT INTO sailors VALUES (1, 'Kit', 'Lund', 1, NULL), (2, 'Lea', 'Moss', 2, current_date + 100), (3, 'Max', 'Noll', 2, NULL), (4, 'Ned', 'Ochs', 2, '2023-05-01');
INSERT INTO trainings VALUES (1, 1, '2024-01-05', 2), (2, 2, '2024-01-06', 3), (3, 2, '2024-02-06', 4);
INSERT INTO charters VALUES (1, 1, '2024-01-05', 100, 10), (2, 2, '2024-01-06', 300, 20), (3, 1, '2024-02-06', 500, 30);
-- a cruise of today, and those of a year ago with some before and behind the time that is compared
CREATE TABLE cruises (id integer PRIMARY KEY, cruised_on date NOT NULL);
INSERT INTO cruises VALUES (1, current_date), (2, date_trunc('year', current_date) - interval '1 year'), (3, date_trunc('year', current_date) - interval '1 day'), (4, date_trunc('month', current_date) - interval '1 year'), (5, date_trunc('month', current_date) - interval '2 years');
