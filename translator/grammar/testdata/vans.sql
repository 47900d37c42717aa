-- A club that lends vans: prices by the hour, trips that begin and end, marks for trips, vans that are sold, people who bring others.
CREATE TABLE tariffs (tariff_id int PRIMARY KEY, name text NOT NULL, price_per_hour numeric NOT NULL);
CREATE TABLE people (person_id int PRIMARY KEY, full_name text NOT NULL, tariff_id int NOT NULL REFERENCES tariffs, joined_on date NOT NULL, left_on date, referred_by int REFERENCES people);
CREATE TABLE vans (van_id int PRIMARY KEY, plate text UNIQUE NOT NULL, model text NOT NULL, bought_on date NOT NULL, sold_on date);
CREATE TABLE trips (trip_id int PRIMARY KEY, person_id int NOT NULL REFERENCES people, van_id int NOT NULL REFERENCES vans, starts_at timestamp NOT NULL, ends_at timestamp NOT NULL,
	status text NOT NULL CHECK (status IN ('driven', 'cancelled', 'no show')));
CREATE TABLE ratings (rating_id int PRIMARY KEY, trip_id int NOT NULL REFERENCES trips, stars int NOT NULL);
CREATE TABLE damages (damage_id int PRIMARY KEY, van_id int NOT NULL REFERENCES vans, kind text NOT NULL, reported_on date NOT NULL, repaired_on date);
CREATE TABLE washes (wash_id int PRIMARY KEY, van_id int NOT NULL REFERENCES vans, washed_on date NOT NULL);
INSERT INTO tariffs VALUES (1, 'small', 2), (2, 'large', 13);
INSERT INTO people VALUES (1, 'Ann Bell', 1, '2022-01-01', NULL, NULL), (2, 'Bo Cain', 2, '2023-01-01', NULL, 1), (3, 'Cy Dorn', 1, '2024-02-01', NULL, 1);
INSERT INTO vans VALUES (1, 'V-1', 'Swift', '2020-01-01', '2023-01-01'), (2, 'V-2', 'Swift', '2021-01-01', NULL), (3, 'V-3', 'Ox', '2022-01-01', NULL);
INSERT INTO trips VALUES (1, 1, 2, '2024-05-01 08:00', '2024-05-01 10:00', 'driven'), (2, 2, 3, '2024-05-02 08:00', '2024-05-02 23:00', 'driven'), (3, 3, 3, '2024-05-03 08:00', '2024-05-03 09:00', 'no show'),
	(4, 3, 2, '2024-04-03 08:00', '2024-04-03 12:00', 'cancelled');
INSERT INTO ratings VALUES (1, 1, 5), (2, 2, 2), (3, 3, 4);
INSERT INTO damages VALUES (1, 2, 'dent', '2024-05-01', '2024-05-09'), (2, 3, 'scratch', '2024-05-02', NULL);
INSERT INTO washes VALUES (1, 2, '2024-05-20'), (2, 1, '2022-05-20');
