-- A zoo: animals of groups, keepers with a boss and a licence, cages by the tag on them.
CREATE TABLE species_groups (id integer PRIMARY KEY, name text NOT NULL UNIQUE);
CREATE TABLE animals (id integer PRIMARY KEY, name text NOT NULL, group_id integer NOT NULL REFERENCES species_groups, weight_kg numeric NOT NULL, rare boolean NOT NULL);
CREATE TABLE keepers (id integer PRIMARY KEY, first_name text NOT NULL, last_name text NOT NULL, boss_id integer REFERENCES keepers, hired_on date NOT NULL, has_locker boolean NOT NULL, licence_no text, licence_expires_on date);
CREATE TABLE cages (tag text PRIMARY KEY, place text NOT NULL);
CREATE TABLE cleanings (id integer PRIMARY KEY, tag text NOT NULL REFERENCES cages, keeper_id integer NOT NULL REFERENCES keepers, cleaned_on date NOT NULL);
CREATE TABLE feeds (id integer PRIMARY KEY, supplier text NOT NULL, ordered_on date NOT NULL, promised_on date NOT NULL, delivered_on date);
CREATE TABLE inspections (id integer PRIMARY KEY, tag text NOT NULL REFERENCES cages, inspected_on date NOT NULL, success boolean NOT NULL);
INSERT INTO species_groups VALUES (1, 'Reptiles'), (2, 'Birds'), (3, 'Apes');
INSERT INTO animals VALUES (1, 'Kaa', 1, 40, true), (2, 'Iago', 2, 1, false), (3, 'Zazu', 2, 3, true), (4, 'Louie', 3, 80, false);
INSERT INTO keepers VALUES (1, 'Ann', 'Bell', NULL, '2020-01-01', true, 'L1', '2027-01-31'), (2, 'Ben', 'Cole', 1, '2021-01-01', false, 'L2', '2026-05-31'), (3, 'Cy', 'Dorn', 2, '2022-01-01', true, NULL, NULL);
INSERT INTO cages VALUES ('A1', 'north'), ('A2', 'north'), ('B1', 'south');
INSERT INTO cleanings VALUES (1, 'A1', 1, '2024-01-01'), (2, 'A1', 2, '2024-01-08'), (3, 'B1', 2, '2024-01-09');
INSERT INTO feeds VALUES (1, 'Hay & Co', '2024-01-01', '2024-02-01', '2024-01-05'), (2, 'Hay & Co', '2024-01-02', '2024-02-01', '2024-01-10'), (3, 'Fishers', '2024-02-01', '2024-03-01', NULL), (4, 'Fishers', '2024-02-01', '2024-03-01', '2024-02-02');
INSERT INTO inspections VALUES (1, 'A1', '2024-01-01', true), (2, 'A1', '2024-02-01', false), (3, 'B1', '2024-02-02', false);
