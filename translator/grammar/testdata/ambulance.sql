-- Visits have a doctor by a key, and prescriptions a column for one without a key.
CREATE TABLE staff (staff_id int PRIMARY KEY, title text NOT NULL, first_name text NOT NULL, last_name text NOT NULL);
CREATE TABLE visits (visit_id int PRIMARY KEY, doctor_id int NOT NULL REFERENCES staff, visited_on date NOT NULL);
CREATE TABLE prescriptions (rx_id int PRIMARY KEY, doc_id int NOT NULL, visit_id int NOT NULL REFERENCES visits, drug text NOT NULL, rx_on date NOT NULL);
INSERT INTO staff VALUES (1, 'Dr.', 'Ada', 'Ray'), (2, 'Dr.', 'Bea', 'Sim'), (3, 'Mr.', 'Cy', 'Tod');
INSERT INTO visits VALUES (1, 1, '2024-02-01');
INSERT INTO prescriptions VALUES (1, 2, 1, 'Iron', '2024-02-01'), (2, 1, 1, 'Zinc', '2024-02-02');
ANALYZE;
