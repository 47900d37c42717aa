-- A hotline: people call, agents answer; what they have in hand is a case with a status and its times. Gifts keep it going.
CREATE TABLE agents (id integer PRIMARY KEY, name text NOT NULL, team text NOT NULL);
CREATE TABLE callers (id integer PRIMARY KEY, name text NOT NULL, city text NOT NULL);
CREATE TABLE cases (id integer PRIMARY KEY, subject text NOT NULL, caller_id integer NOT NULL REFERENCES callers, agent_id integer REFERENCES agents,
  priority text NOT NULL, status text NOT NULL, opened_at timestamp, answered_at timestamp, closed_at timestamp, mood integer);
CREATE TABLE donors (id integer PRIMARY KEY, full_name text NOT NULL);
CREATE TABLE donations (id integer PRIMARY KEY, donor_id integer NOT NULL REFERENCES donors, purpose text NOT NULL, amount numeric(8,2) NOT NULL, donated_on date NOT NULL);
CREATE TABLE rooms (id integer PRIMARY KEY, label text NOT NULL, storey integer NOT NULL, used_from date, used_until date);
INSERT INTO agents VALUES (1, 'Ute', 'night'), (2, 'Vic', 'day'), (3, 'Wim', 'day');
INSERT INTO callers VALUES (1, 'Xia', 'Linz'), (2, 'Yan', 'Graz'), (3, 'Zoe', 'Linz');
INSERT INTO cases VALUES
  (1, 'Rent', 1, 1, 'high', 'open', '2024-05-01 09:00', NULL, NULL, 3), (2, 'Work', 1, 2, 'low', 'closed', '2024-05-02 09:00', '2024-05-02 10:00', '2024-05-04 09:00', 1),
  (3, 'Home', 2, 2, 'high', 'closed', '2024-06-01 09:00', '2024-06-01 12:00', '2024-06-02 09:00', 5), (4, 'Debt', 2, 1, 'low', 'waiting', '2024-06-03 09:00', '2024-06-04 09:00', NULL, 2),
  (5, 'Pets', 2, NULL, 'low', 'open', NULL, NULL, NULL, NULL), (6, 'Noise', 1, 1, 'high', 'closed', '2024-06-05 09:00', '2024-06-05 09:30', '2024-07-01 09:00', 4);
INSERT INTO donors VALUES (1, 'Ada'), (2, 'Bo'), (3, 'Cy');
INSERT INTO donations VALUES (1, 1, 'night line', 10, '2024-05-01'), (2, 1, 'training', 20, '2024-06-01'), (3, 2, 'training', 100, '2024-06-02');
INSERT INTO rooms VALUES (1, 'Blue', 1, '2024-01-01', '2024-01-11'), (2, 'Red', 2, '2024-01-01', '2024-01-21'), (3, 'Grey', 2, '2024-02-01', NULL);
-- What an old program left: rows that are deleted by a flag of numbers, people by short names, codes with a description.
CREATE TABLE wing (wing_cd varchar(3) PRIMARY KEY, descr varchar(40) NOT NULL, seats smallint);
CREATE TABLE helper (hlp_id integer PRIMARY KEY, lname varchar(40) NOT NULL, fname varchar(40) NOT NULL, city varchar(40), wing_cd varchar(3) NOT NULL REFERENCES wing, paid_flag smallint NOT NULL, del_flag smallint NOT NULL DEFAULT 0);
INSERT INTO wing VALUES ('N', 'North', 10), ('S', 'South', 30), ('E', 'East', 20);
INSERT INTO helper VALUES (1, 'Abt', 'Ina', 'Bonn', 'N', 1, 0), (2, 'Bas', 'Jan', 'Bonn', 'N', 0, 1), (3, 'Cox', 'Kim', 'Ulm', 'S', 0, 0), (4, 'Dux', 'Leo', 'Bonn', 'S', 1, 0), (5, 'Eck', 'Mia', 'Ulm', 'S', 0, 1);
