-- An office: clients that are deleted softly, people who have left, contracts
-- that have ended, roles in projects, marks.
CREATE TABLE clients (id integer PRIMARY KEY, name text NOT NULL, status text NOT NULL, deleted_at timestamp);
COMMENT ON TABLE clients IS 'Firms that we work for (patrons)';
CREATE TABLE workers (
    id integer PRIMARY KEY, nm text NOT NULL, job text NOT NULL, is_contractor boolean NOT NULL, hired_on date NOT NULL, left_on date
);
CREATE TABLE projects (id integer PRIMARY KEY, title text NOT NULL, client_id integer NOT NULL REFERENCES clients, planner_id integer NOT NULL REFERENCES workers, state text NOT NULL);
CREATE TABLE project_workers (project_id integer REFERENCES projects, worker_id integer REFERENCES workers, PRIMARY KEY (project_id, worker_id));
CREATE TABLE closings (id integer PRIMARY KEY, project_id integer NOT NULL REFERENCES projects, finished_on date NOT NULL);
CREATE TABLE contracts (id integer PRIMARY KEY, contract_no text NOT NULL UNIQUE, client_id integer NOT NULL REFERENCES clients, fee numeric NOT NULL, ended_on date);
CREATE TABLE opinions (id integer PRIMARY KEY, project_id integer NOT NULL REFERENCES projects, rating integer NOT NULL, given_on date NOT NULL);
INSERT INTO clients VALUES (1, 'Linden Advisory Partners', 'sponsor', NULL), (2, 'Cobalt Press', 'donor', NULL), (3, 'Fjord Bank', 'sponsor', '2024-01-01');
INSERT INTO workers VALUES (1, 'Ann Bell', 'engineer', false, '2020-01-01', NULL), (2, 'Bo Cain', 'engineer', true, '2021-01-01', NULL),
    (3, 'Cy Dorn', 'clerk', false, '2019-05-01', '2023-01-01');
INSERT INTO projects VALUES (1, 'Bridge', 1, 1, 'finished'), (2, 'Tunnel', 2, 1, 'paused'), (3, 'Quay', 1, 2, 'finished'), (4, 'Mole', 2, 2, 'archived');
INSERT INTO project_workers VALUES (1, 1), (1, 2), (2, 2), (3, 2);
INSERT INTO closings VALUES (1, 1, '2023-05-01'), (2, 3, '2024-02-01'), (3, 4, '2023-07-01');
INSERT INTO contracts VALUES (1, 'C-100', 1, 50, NULL), (2, 'C-101', 2, 70, '2023-01-01');
INSERT INTO opinions VALUES (1, 1, 5, '2023-06-01'), (2, 1, 2, '2023-06-02'), (3, 2, 3, '2023-06-03'), (4, 3, 4, '2023-06-04');
