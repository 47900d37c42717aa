-- A school for dogs: breeds and diagnoses that are texts, classes of types that are booked, jobs of a workshop with a release and a completion, houses.
CREATE TABLE houses (id integer PRIMARY KEY, name text NOT NULL UNIQUE);
CREATE TABLE members (id integer PRIMARY KEY, full_name text NOT NULL, house_id integer NOT NULL REFERENCES houses, joined_on date NOT NULL);
CREATE TABLE dogs (id integer PRIMARY KEY, name text NOT NULL, breed text NOT NULL, member_id integer NOT NULL REFERENCES members);
CREATE TABLE class_types (id integer PRIMARY KEY, title text NOT NULL UNIQUE);
CREATE TABLE classes (id integer PRIMARY KEY, class_type_id integer NOT NULL REFERENCES class_types, starts_at timestamp NOT NULL, seats integer NOT NULL);
CREATE TABLE bookings (id integer PRIMARY KEY, class_id integer NOT NULL REFERENCES classes, dog_id integer NOT NULL REFERENCES dogs, booked_at timestamp NOT NULL);
CREATE TABLE vet_visits (id integer PRIMARY KEY, dog_id integer NOT NULL REFERENCES dogs, diagnosis text, seen_at timestamp NOT NULL, fee numeric(8,2) NOT NULL);
CREATE TABLE jobs (id integer PRIMARY KEY, number text NOT NULL UNIQUE, status text NOT NULL, created_at timestamp NOT NULL, released_at timestamp, completed_at timestamp);
INSERT INTO houses VALUES (1, 'North'), (2, 'South'), (3, 'Mill');
INSERT INTO members VALUES (1, 'Ida Moss', 1, '2023-01-01'), (2, 'Joe Nash', 1, '2023-02-01'), (3, 'Kim Orr', 2, '2023-03-01'), (4, 'Lea Pike', 1, '2024-03-01');
INSERT INTO dogs VALUES (1, 'Rex', 'Spitz', 1), (2, 'Fido', 'Spitz', 2), (3, 'Bella', 'Poodle', 3), (4, 'Max', 'Boxer', 4), (5, 'Luna', 'Poodle', 4), (6, 'Kira', 'Spitz', 4), (7, 'Odin', 'Akita', 2), (8, 'Nala', 'Boxer', 2), (9, 'Bolt', 'Boxer', 1), (10, 'Zoe', 'Boxer', 1);
INSERT INTO class_types VALUES (1, 'Puppy'), (2, 'Agility'), (3, 'Recall');
INSERT INTO classes VALUES (1, 1, '2024-08-05 10:00', 8), (2, 2, '2024-08-06 10:00', 6), (3, 2, '2024-08-07 18:00', 6), (4, 3, '2024-08-12 10:00', 6), (5, 3, '2024-08-19 10:00', 6), (6, 3, '2024-08-26 10:00', 6);
INSERT INTO bookings VALUES (1, 1, 1, '2024-08-01 09:00'), (2, 2, 2, '2024-08-01 10:00'), (3, 2, 3, '2024-08-02 11:00'), (4, 3, 1, '2024-08-05 09:30'), (5, 4, 4, '2024-08-08 09:15');
INSERT INTO vet_visits VALUES (1, 1, 'sprain', '2024-07-01 10:00', 40), (2, 2, 'sprain', '2024-07-02 10:00', 40), (3, 3, 'ticks', '2024-07-03 10:00', 20), (4, 4, NULL, '2024-07-04 10:00', 15);
INSERT INTO jobs VALUES (1, 'J-1', 'done', '2024-07-01 08:00', '2024-07-02 08:00', '2024-07-04 08:00'), (2, 'J-2', 'done', '2024-07-01 08:00', '2024-07-03 08:00', '2024-07-04 08:00'), (3, 'J-3', 'open', '2024-07-05 08:00', NULL, NULL);
