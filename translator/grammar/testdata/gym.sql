-- A gym: fees that have to be paid by a day, courses that people book.
CREATE TABLE trainers (id integer PRIMARY KEY, name text NOT NULL, email text);
CREATE TABLE members (id integer PRIMARY KEY, name text NOT NULL, town text NOT NULL, gender text NOT NULL, trainer_id integer REFERENCES trainers);
CREATE TABLE fees (id integer PRIMARY KEY, member_id integer NOT NULL REFERENCES members, method text NOT NULL, waived boolean NOT NULL, amount numeric NOT NULL, billed_on date NOT NULL, due_on date NOT NULL, paid_on date);
CREATE TABLE sessions (id integer PRIMARY KEY, member_id integer NOT NULL REFERENCES members, trainer_id integer NOT NULL REFERENCES trainers, booked_at timestamp NOT NULL, starts_at timestamp NOT NULL, ends_at timestamp NOT NULL, cancelled_at timestamp);
INSERT INTO trainers VALUES (1, 'Uma Vale', 'u@x.y'), (2, 'Vic Ware', NULL);
INSERT INTO members VALUES (1, 'Pia Quin', 'Oslo', 'f', 1), (2, 'Rob Sand', 'Oslo', 'm', 1), (3, 'Sue Tarn', 'Bergen', 'f', NULL);
INSERT INTO fees VALUES (1, 1, 'card', false, 30, '2024-01-01', '2024-02-01', '2024-02-11'), (2, 1, 'cash', false, 30, '2024-02-01', '2024-03-01', '2024-02-20'),
    (3, 2, 'card', true, 40, '2023-01-01', '2023-02-01', '2023-02-01'), (4, 3, 'card', false, 50, '2024-05-01', '2024-06-01', NULL);
INSERT INTO sessions VALUES
    (1, 1, 1, '2024-03-01 10:00', '2024-03-04 10:00', '2024-03-04 11:00', NULL), (2, 1, 1, '2024-03-02 10:00', '2024-03-11 10:00', '2024-03-11 12:00', NULL),
    (3, 2, 2, '2023-03-02 10:00', '2023-03-04 16:00', '2023-03-04 17:00', '2023-03-03 09:00'), (4, 1, 2, '2023-05-01 08:00', '2023-05-02 10:00', '2023-05-02 12:00', NULL);
