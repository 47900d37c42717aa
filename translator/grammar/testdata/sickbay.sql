-- A sickbay, as its old system names things: a stay has a doctor, and so has each medicine that is given in it.
CREATE TABLE doctor (doc_id int PRIMARY KEY, last_nm varchar(30) NOT NULL);
CREATE TABLE patient (pat_no int PRIMARY KEY, last_nm varchar(30) NOT NULL);
CREATE TABLE adm_99 (adm_id int PRIMARY KEY, pat_no int NOT NULL REFERENCES patient, adm_ts timestamp NOT NULL, dis_ts timestamp, att_doc int NOT NULL REFERENCES doctor);
COMMENT ON TABLE adm_99 IS 'stays on the ward';
CREATE TABLE rx (rx_id int PRIMARY KEY, adm_id int NOT NULL REFERENCES adm_99, doc_id int NOT NULL REFERENCES doctor, drug varchar(30) NOT NULL, start_dt date NOT NULL, stop_dt date);
CREATE TABLE bills (bill_id int PRIMARY KEY, adm_id int NOT NULL REFERENCES adm_99, due_dt date NOT NULL, amount numeric(8,2) NOT NULL);
CREATE TABLE payments (pay_id int PRIMARY KEY, bill_id int NOT NULL REFERENCES bills, paid_dt date NOT NULL, kind text NOT NULL CHECK (kind IN ('payment', 'refund')), amount numeric(8,2) NOT NULL);
INSERT INTO doctor VALUES (1, 'Okoro'), (2, 'Pym');
INSERT INTO patient VALUES (1, 'Ash'), (2, 'Box');
INSERT INTO adm_99 VALUES (1, 1, now() - interval '9 days', now() - interval '2 days', 1), (2, 2, now() - interval '20 days', NULL, 2);
INSERT INTO rx VALUES (1, 1, 2, 'Aspirin', CURRENT_DATE - 8, CURRENT_DATE - 7), (2, 2, 2, 'Codeine', CURRENT_DATE - 20, NULL);
INSERT INTO bills VALUES (1, 1, CURRENT_DATE - 1, 100);
INSERT INTO payments VALUES (1, 1, CURRENT_DATE - 1, 'payment', 100), (2, 1, CURRENT_DATE, 'refund', 20);
ANALYZE;
