-- A theatre: troupes within troupes, rows that a flag's comment takes back,
-- subscriptions that go on until they are cancelled, actors who have left.
CREATE TABLE troupes (id integer PRIMARY KEY, name text NOT NULL, parent_id integer REFERENCES troupes);
CREATE TABLE actors (id integer PRIMARY KEY, first_name text NOT NULL, last_name text NOT NULL, birth_date date NOT NULL, hired_on date NOT NULL, leaving date);
COMMENT ON COLUMN actors.leaving IS 'last working day';
CREATE TABLE plays (id integer PRIMARY KEY, title text NOT NULL, troupe_id integer NOT NULL REFERENCES troupes, added_on date NOT NULL, dup boolean NOT NULL);
COMMENT ON TABLE plays IS 'dramas and comedies';
COMMENT ON COLUMN plays.dup IS 'entered twice, not counted';
CREATE TABLE cast_lists (play_id integer REFERENCES plays, actor_id integer REFERENCES actors, PRIMARY KEY (play_id, actor_id));
CREATE TABLE subscriptions (id integer PRIMARY KEY, code text NOT NULL UNIQUE, play_id integer NOT NULL REFERENCES plays, seats integer NOT NULL, started_on date NOT NULL, canceled_on date);
CREATE TABLE notices (id integer PRIMARY KEY, play_id integer NOT NULL REFERENCES plays, tone text NOT NULL, printed_on date NOT NULL);
INSERT INTO troupes VALUES (1, 'Globe', NULL), (2, 'Rose', 1), (3, 'Swan', 1), (4, 'Curtain', NULL);
INSERT INTO actors VALUES (1, 'Gil', 'Hale', '1980-01-01', '2020-01-01', NULL), (2, 'Ida', 'Jude', '1990-01-01', '2021-01-01', '2024-01-31'), (3, 'Ken', 'Lowe', '1985-01-01', '2024-02-01', NULL);
INSERT INTO plays VALUES (1, 'Storm', 2, '2023-01-01', false), (2, 'Calm', 2, '2024-02-01', false), (3, 'Calm', 3, '2024-03-01', true), (4, 'Dusk', 4, '2024-04-01', false);
INSERT INTO cast_lists VALUES (1, 1), (2, 1), (4, 3);
INSERT INTO subscriptions VALUES (1, 'A-1', 1, 2, '2023-01-01', NULL), (2, 'A-2', 2, 1, '2024-02-01', '2024-05-01'), (3, 'A-3', 4, 4, '2022-04-01', '2024-06-01');
INSERT INTO notices VALUES (1, 1, 'warm', '2024-01-01'), (2, 1, 'cool', '2024-02-01'), (3, 2, 'warm', '2024-03-01');
