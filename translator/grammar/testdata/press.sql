-- A printing press: jobs with a deadline, machines, proofs.
CREATE TABLE clients (id integer PRIMARY KEY, name text NOT NULL, city text NOT NULL);
CREATE TABLE machines (id integer PRIMARY KEY, name text NOT NULL, maker text NOT NULL, price numeric NOT NULL, scrap_value numeric NOT NULL);
CREATE TABLE jobs (id integer PRIMARY KEY, title text NOT NULL, client_id integer NOT NULL REFERENCES clients, machine_id integer NOT NULL REFERENCES machines, paper text NOT NULL, rush boolean NOT NULL,
    amount numeric NOT NULL, ordered_at timestamp NOT NULL, deadline date NOT NULL, started_at timestamp, finished_at timestamp);
CREATE TABLE proofs (id integer PRIMARY KEY, job_id integer NOT NULL REFERENCES jobs, sent_on date NOT NULL, approved boolean NOT NULL);
INSERT INTO clients VALUES (1, 'Fern Books', 'Leeds'), (2, 'Gale Press', 'Hull'), (3, 'Hope Trust', 'Hull');
INSERT INTO machines VALUES (1, 'Heron', 'Roto', 900, 950), (2, 'Ibis', 'Roto', 700, 100);
INSERT INTO jobs VALUES
    (1, 'Atlas', 1, 1, 'glossy', true, 500, '2024-01-01 08:00', '2024-01-10', '2024-01-03 08:00', '2024-01-09 20:00'), (2, 'Bible', 1, 2, 'matt', false, 800, '2024-02-01 08:00', '2024-02-10', '2024-02-03 08:00', '2024-02-12 08:00'),
    (3, 'Cards', 2, 2, 'glossy', false, 90, '2023-03-01 08:00', '2023-03-10', '2023-03-03 08:00', '2023-03-04 08:00'), (4, 'Diary', 2, 1, 'matt', true, 300, '2024-08-01 08:00', '2024-09-10', NULL, NULL);
INSERT INTO proofs VALUES (1, 1, '2024-01-05', true), (2, 1, '2024-01-06', false), (3, 2, '2024-02-05', true), (4, 3, '2023-03-02', true);
