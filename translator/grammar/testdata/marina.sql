-- A marina: what an old system has beside the plain facts.
CREATE TABLE people_in_charge (id int PRIMARY KEY, first_name text NOT NULL, last_name text NOT NULL, job text NOT NULL, quay_id int NOT NULL, hired_on date NOT NULL, left_on date, ticket_no text, ticket_until date);
COMMENT ON TABLE people_in_charge IS 'Our staff, past and present';
CREATE TABLE quays (id int PRIMARY KEY, name text NOT NULL, kind text NOT NULL CHECK (kind IN ('basin', 'jetty')), basin_id int REFERENCES quays, closed_on date);
ALTER TABLE people_in_charge ADD FOREIGN KEY (quay_id) REFERENCES quays;
CREATE TABLE clients (id int PRIMARY KEY, name text NOT NULL, status text NOT NULL CHECK (status IN ('prospect', 'member', 'lapsed')), email text, created_at timestamptz NOT NULL, member_since date);
CREATE TABLE boats (id int PRIMARY KEY, name text NOT NULL, client_id int NOT NULL REFERENCES clients, bought_on date, sold_on date);
CREATE TABLE outings (id int PRIMARY KEY, boat_id int NOT NULL REFERENCES boats, went_on date NOT NULL);
CREATE TABLE job_states (code char(2) PRIMARY KEY, label text NOT NULL);
CREATE TABLE jobs (id int PRIMARY KEY, job_no text NOT NULL UNIQUE, boat_id int NOT NULL REFERENCES boats, state char(2) NOT NULL REFERENCES job_states, taken_on date NOT NULL, promised_on date NOT NULL, done_on date);
CREATE TABLE offers (id int PRIMARY KEY, title text NOT NULL, client_id int NOT NULL REFERENCES clients, stage text NOT NULL CHECK (stage IN ('talk', 'won', 'lost')), amount numeric(10,2) NOT NULL, created_on date NOT NULL, closed_on date);
CREATE TABLE bills (bill_no text PRIMARY KEY, client_id int NOT NULL REFERENCES clients, issued_on date NOT NULL, due_on date NOT NULL, paid_on date);
CREATE TABLE bill_lines (bill_no text NOT NULL REFERENCES bills, line_no int NOT NULL, text text NOT NULL, qty numeric(6,2) NOT NULL, unit_price numeric(8,2) NOT NULL, PRIMARY KEY (bill_no, line_no));

INSERT INTO quays VALUES (1, 'West Basin', 'basin', NULL, NULL), (2, 'Long Jetty', 'jetty', 1, NULL), (3, 'Fish Jetty', 'jetty', 1, '2020-01-01');
INSERT INTO people_in_charge SELECT k, (ARRAY['Ann','Bob','Cal','Dot'])[1 + k % 4], (ARRAY['Ash','Birch','Cole'])[1 + k % 3], (ARRAY['pilot','rigger','harbour master'])[1 + k % 3], 1 + k % 3, date '2015-01-01' + k * 40, CASE WHEN k % 5 = 0 THEN date '2022-03-01' + k END, CASE WHEN k % 3 = 0 THEN 'T' || k END, CASE WHEN k % 3 = 0 THEN date '2024-01-01' + k * 30 END FROM generate_series(1, 40) k;
INSERT INTO clients SELECT k, 'Client ' || k, (ARRAY['prospect', 'member', 'member', 'lapsed'])[1 + k % 4], CASE WHEN k % 7 > 0 THEN 'info@client-' || k || '.example' END, timestamptz '2016-01-01' + k * interval '9 days', CASE WHEN k % 4 > 0 THEN date '2018-01-01' + k * 12 END FROM generate_series(1, 60) k;
UPDATE clients SET name = 'Sunny Sails Ltd', email = 'ida@sunny-sails.example' WHERE id = 5;
UPDATE clients SET name = 'Sunny Sails Club' WHERE id = 6;
INSERT INTO boats SELECT k, 'Boat ' || k, 1 + k % 60, date '2019-01-01' + k * 7, CASE WHEN k % 9 = 0 THEN date '2023-01-01' END FROM generate_series(1, 80) k;
INSERT INTO outings SELECT k, 1 + k % 70, current_date - k * 3 FROM generate_series(1, 300) k;
INSERT INTO job_states VALUES ('NW', 'new'), ('HD', 'on hold'), ('CX', 'cancelled'), ('DN', 'done');
INSERT INTO jobs SELECT k, 'J' || (10000 + k * 7), 1 + k % 80, CASE WHEN k % 11 = 0 THEN 'CX' WHEN k % 13 = 0 THEN 'HD' WHEN k > 380 THEN 'NW' ELSE 'DN' END, current_date - 420 + k, current_date - 413 + k, CASE WHEN k % 11 > 0 AND k % 13 > 0 AND k <= 380 THEN current_date - 418 + k + k % 9 END FROM generate_series(1, 400) k;
INSERT INTO offers SELECT k, 'Offer ' || k, 1 + k % 60, (ARRAY['talk', 'won', 'lost', 'won'])[1 + k % 4], 100 + k, current_date - 900 + k * 6, CASE WHEN k % 4 > 0 THEN current_date - 800 + k * 6 END FROM generate_series(1, 130) k;
INSERT INTO bills SELECT 'B-' || (2000 + k), 1 + k % 60, current_date - 300 + k, current_date - 270 + k, CASE WHEN k % 6 > 0 AND k < 260 THEN current_date - 290 + k END FROM generate_series(1, 290) k;
INSERT INTO bill_lines SELECT 'B-' || (2000 + k), l, 'berth', l, 10 + k FROM generate_series(1, 290) k, generate_series(1, 2) l;
