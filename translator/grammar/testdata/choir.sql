-- A choir: pieces that are deleted softly, singers who have left, subscriptions
-- that have ended, who conducts, marks of critics.
CREATE TABLE singers (id integer PRIMARY KEY, first_nm text NOT NULL, last_nm text NOT NULL, voice text NOT NULL, is_soloist boolean NOT NULL, joined_on date NOT NULL, left_on date);
CREATE TABLE pcs (id integer PRIMARY KEY, title text NOT NULL, genre text NOT NULL, copies integer NOT NULL, deleted_at timestamp);
COMMENT ON TABLE pcs IS 'Songs of the choir (melodies)';
CREATE TABLE evenings (id integer PRIMARY KEY, title text NOT NULL, conductor_id integer NOT NULL REFERENCES singers, state text NOT NULL, visitors integer NOT NULL);
CREATE TABLE evening_singers (evening_id integer REFERENCES evenings, singer_id integer REFERENCES singers, PRIMARY KEY (evening_id, singer_id));
CREATE TABLE premieres (id integer PRIMARY KEY, evening_id integer NOT NULL REFERENCES evenings, performed_on date NOT NULL);
CREATE TABLE passes (id integer PRIMARY KEY, pass_no text NOT NULL UNIQUE, singer_id integer NOT NULL REFERENCES singers, price numeric NOT NULL, ended_on date);
CREATE TABLE critiques (id integer PRIMARY KEY, evening_id integer NOT NULL REFERENCES evenings, rating integer NOT NULL);
INSERT INTO singers VALUES (1, 'Ida', 'Frey', 'tenor', true, '2020-01-01', NULL), (2, 'Jo', 'Gale', 'alto', false, '2021-01-01', NULL), (3, 'Kim', 'Hart', 'tenor', false, '2018-01-01', '2022-01-01');
INSERT INTO pcs VALUES (1, 'Morning Hymn Anew', 'hymn', 0, NULL), (2, 'Sea Ballad', 'ballad', 4, NULL), (3, 'Old March', 'march', 0, '2024-01-01');
INSERT INTO evenings VALUES (1, 'Spring', 1, 'performed', 90), (2, 'Summer', 2, 'planned', 40), (3, 'Autumn', 1, 'performed', 70), (4, 'Winter', 2, 'recorded', 10);
INSERT INTO evening_singers VALUES (1, 1), (1, 2), (2, 2), (3, 2);
INSERT INTO premieres VALUES (1, 1, '2023-04-01'), (2, 3, '2024-10-01'), (3, 4, '2023-12-01');
INSERT INTO passes VALUES (1, 'P-7', 1, 20, NULL), (2, 'P-8', 2, 30, '2023-01-01');
INSERT INTO critiques VALUES (1, 1, 5), (2, 1, 2), (3, 2, 3), (4, 3, 4);
