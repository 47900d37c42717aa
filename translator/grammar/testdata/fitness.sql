-- A gym: what members did in a lesson is a state of their booking, sections have
-- sections below them, trainers are paid by the hour and some have left.
CREATE TABLE sections (id integer PRIMARY KEY, name text NOT NULL UNIQUE, parent_id integer REFERENCES sections);
CREATE TABLE programs (id integer PRIMARY KEY, name text NOT NULL, section_id integer NOT NULL REFERENCES sections, minutes integer NOT NULL, style text NOT NULL);
CREATE TABLE trainers (id integer PRIMARY KEY, name text NOT NULL, hourly_rate numeric NOT NULL, hired_on date NOT NULL, left_on date);
CREATE TABLE lessons (
    id integer PRIMARY KEY, program_id integer NOT NULL REFERENCES programs, trainer_id integer NOT NULL REFERENCES trainers, held_on date NOT NULL, capacity integer NOT NULL
);
CREATE TABLE members (id integer PRIMARY KEY, name text NOT NULL);
CREATE TABLE bookings (
    id integer PRIMARY KEY, member_id integer NOT NULL REFERENCES members, lesson_id integer NOT NULL REFERENCES lessons, outcome text NOT NULL, made_on date NOT NULL
);
CREATE TABLE fees (id integer PRIMARY KEY, member_id integer NOT NULL REFERENCES members, billed_on date NOT NULL, due_on date NOT NULL, amount numeric NOT NULL);
INSERT INTO sections VALUES (1, 'Strength', NULL), (2, 'Weights', 1), (3, 'Dumbbells', 2), (4, 'Water', NULL);
INSERT INTO programs VALUES (1, 'Press', 3, 60, 'hard'), (2, 'Lift', 2, 30, 'soft'), (3, 'Swim', 4, 60, 'hard');
INSERT INTO trainers VALUES (1, 'Ian Joy', 30, '2020-01-05', NULL), (2, 'Jan Kerr', 40, '2020-02-05', NULL), (3, 'Ken Lowe', 50, '2020-01-09', '2023-01-01');
INSERT INTO lessons VALUES (1, 1, 1, '2024-01-01', 10), (2, 2, 2, '2024-02-02', 8), (3, 3, 3, '2022-03-01', 8), (4, 1, 1, '2024-03-05', 12), (5, 2, 2, '2024-03-06', 9);
INSERT INTO members VALUES (1, 'Lea Moss'), (2, 'Max Nash'), (3, 'Ned Opie');
INSERT INTO bookings VALUES (1, 1, 1, 'attended', '2024-01-01'), (2, 1, 2, 'missed', '2024-01-01'), (3, 2, 1, 'attended', '2024-01-01'), (4, 3, 1, 'missed', '2024-01-01'), (5, 2, 3, 'attended', '2022-03-01');
INSERT INTO fees VALUES (1, 1, '2024-03-01', '2024-05-01', 10), (2, 2, '2024-04-02', '2024-04-12', 20), (3, 3, '2023-11-05', '2023-12-05', 30);
