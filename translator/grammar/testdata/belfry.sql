CREATE TABLE ringers (ringer_id int PRIMARY KEY, name text NOT NULL, age int NOT NULL, country text NOT NULL, debut_year int NOT NULL);
CREATE TABLE towers (tower_id int PRIMARY KEY, name text NOT NULL UNIQUE, height_m int NOT NULL, city text NOT NULL);
CREATE TABLE addresses (address_id int PRIMARY KEY, ringer_id int NOT NULL REFERENCES ringers, street text NOT NULL, postal_code text NOT NULL, city text NOT NULL);
CREATE TABLE lodgings (lodging_id int PRIMARY KEY, ringer_id int NOT NULL REFERENCES ringers, name text NOT NULL UNIQUE, district text NOT NULL);
CREATE TABLE peals (peal_id int PRIMARY KEY, peal_number int NOT NULL UNIQUE, ringer_id int NOT NULL REFERENCES ringers, tower_id int NOT NULL REFERENCES towers, rung_at timestamp NOT NULL);
CREATE TABLE wardens (warden_id int PRIMARY KEY, name text NOT NULL, hired_on date NOT NULL);
CREATE TABLE bells (bell_id int PRIMARY KEY, name text NOT NULL UNIQUE, price numeric NOT NULL, tower_id int NOT NULL REFERENCES towers);
INSERT INTO ringers VALUES (1, 'Ann Toll', 30, 'Germany', 1990), (2, 'Bea Knell', 40, 'France', 2020), (3, 'Cy Chime', 20, 'Italy', 2005);
INSERT INTO addresses VALUES (1, 1, 'Rope Lane 1', '100', 'York'), (2, 1, 'Rope Lane 2', '100', 'York'), (3, 1, 'Rope Lane 3', '100', 'York'), (4, 2, 'Low Street 4', '200', 'Bath'), (5, 3, 'Low Street 5', '200', 'Bath');
INSERT INTO lodgings VALUES (1, 1, 'Larch', 'North'), (2, 1, 'Pine', 'North'), (3, 1, 'Fir', 'North'), (4, 2, 'Oak', 'South'), (5, 3, 'Elm', 'South');
INSERT INTO towers VALUES (1, 'Old Tower', 40, 'Ely'), (2, 'New Tower', 60, 'York');
INSERT INTO peals VALUES (1, 701, 1, 1, '2025-03-05 08:30'), (2, 702, 2, 1, '2025-03-21 19:00'), (3, 703, 2, 2, '2025-06-30 12:00'), (4, 704, 3, 2, '2025-07-01 08:00'),
	(5, 705, 1, 1, '2023-03-05 10:00'), (6, 706, 1, 1, '2024-02-05 10:00'), (7, 707, 3, 1, '2023-02-05 10:00'), (8, 708, 3, 1, '2023-02-06 10:00');
INSERT INTO wardens VALUES (1, 'Dee Dong', '2020-01-01'), (2, 'Ed Ding', '2021-01-01');
INSERT INTO bells VALUES (1, 'Great Tom', 900, 1), (2, 'Little Tim', 9, 1), (3, 'Maria', 300, 2);
ANALYZE;
