-- A garage with the terse names of old programs: names glued to two letters of
-- their table, flags by letters, jobs with a status in words.
CREATE TABLE mchmst (meno integer PRIMARY KEY, menm varchar(30) NOT NULL, act char(1) NOT NULL, sex char(1) NOT NULL, dob date NOT NULL);
COMMENT ON TABLE mchmst IS 'mechanics';
CREATE TABLE lorries (id integer PRIMARY KEY, plate text NOT NULL UNIQUE, make text NOT NULL, kind text NOT NULL, retired_on date);
CREATE TABLE jobs (
    id integer PRIMARY KEY, lorry_id integer NOT NULL REFERENCES lorries, meno integer NOT NULL REFERENCES mchmst, begun_on date NOT NULL, rsh char(1) NOT NULL,
    deadline date NOT NULL, completed_on date, status text NOT NULL, cost numeric NOT NULL
);
COMMENT ON COLUMN jobs.rsh IS 'rush job Y/N';
CREATE TABLE complaints (id integer PRIMARY KEY, job_id integer NOT NULL REFERENCES jobs, filed_on date NOT NULL, state text NOT NULL, handler integer);
COMMENT ON COLUMN complaints.handler IS 'Mechanic in charge; NULL = nobody yet';
INSERT INTO mchmst VALUES (1, 'Moe Nash', 'Y', 'M', '1980-01-01'), (2, 'Ona Pike', 'N', 'F', '1960-01-01'), (3, 'Quin Ray', 'Y', 'F', '1999-01-01'), (4, 'Ray Sims', 'N', 'M', '1985-01-01');
INSERT INTO lorries VALUES (1, 'AB 1', 'Volvo', 'tipper', NULL), (2, 'CD 2', 'Scania', 'tanker', '2020-01-01'), (3, 'EF 3', 'Volvo', 'tanker', NULL);
INSERT INTO jobs VALUES (1, 1, 1, '2020-01-01', 'Y', '2020-01-05', '2020-01-04', 'done', 100), (2, 1, 2, '2020-02-01', 'N', '2020-02-05', '2020-02-09', 'done', 200),
    (3, 2, 1, '2020-03-01', 'Y', '2020-03-05', NULL, 'waiting', 300), (4, 3, 3, '2020-04-01', 'N', '2020-04-05', NULL, 'cancelled', 50), (5, 3, 3, '2024-04-01', 'N', '2099-04-05', NULL, 'waiting', 70), (6, 1, 1, '2020-04-01', 'N', '2020-04-05', NULL, 'cancelled', 0);
INSERT INTO complaints VALUES (1, 1, '2020-02-01', 'open', 1), (2, 2, '2020-03-01', 'solved', 2), (3, 2, '2020-04-01', 'open', NULL), (4, 1, '2020-05-01', 'solved', 2);
