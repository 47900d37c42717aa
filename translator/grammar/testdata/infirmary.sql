-- An infirmary, as its old system names things: staff of several roles, who did what by a key called after the role, results whose
-- kind stands in one column and whose value in another, as texts.
CREATE TABLE stf (stf_id integer PRIMARY KEY, fname varchar(30) NOT NULL, lname varchar(30) NOT NULL, role_cd varchar(3) NOT NULL, bleep varchar(6));
COMMENT ON TABLE stf IS 'staff';
COMMENT ON COLUMN stf.role_cd IS 'DOC doctor, NUR nurse, POR porter';
CREATE TABLE pat (pat_no integer PRIMARY KEY, fname varchar(30) NOT NULL, lname varchar(30) NOT NULL, sex char(1) NOT NULL, town varchar(30) NOT NULL);
CREATE TABLE adm (adm_no integer PRIMARY KEY, pat_no integer NOT NULL REFERENCES pat, wing varchar(20) NOT NULL, adm_dt date NOT NULL, los integer);
CREATE TABLE op (op_id integer PRIMARY KEY, adm_no integer NOT NULL REFERENCES adm, surg_id integer NOT NULL, op_descr varchar(40) NOT NULL, op_dt date NOT NULL, dur_min integer NOT NULL);
CREATE TABLE daycare_appts (appt_id integer PRIMARY KEY, pat_no integer NOT NULL REFERENCES pat, doc_id integer NOT NULL, appt_dt date NOT NULL);
CREATE TABLE lab_res (lab_id integer PRIMARY KEY, pat_no integer NOT NULL REFERENCES pat, test_nm varchar(20) NOT NULL, res_val varchar(12), unit varchar(8), taken_dt date NOT NULL);
INSERT INTO stf VALUES (31, 'Ada', 'Quill', 'DOC', '101'), (32, 'Bo', 'Quill', 'NUR', '202'), (33, 'Cy', 'Rook', 'DOC', '303'), (34, 'Di', 'Swan', 'POR', NULL), (35, 'Ed', 'Teal', 'NUR', NULL);
INSERT INTO pat VALUES (1, 'Eve', 'Tarn', 'F', 'Stoke'), (2, 'Flo', 'Usher', 'F', 'Crewe'), (3, 'Gus', 'Vole', 'M', 'Stoke'), (4, 'Hal', 'Wren', 'M', 'Crewe');
INSERT INTO adm VALUES (11, 1, 'East', '2024-01-02', 4), (12, 2, 'East', '2024-02-02', 8), (13, 3, 'West', '2024-03-02', 3), (14, 1, 'West', '2024-04-02', NULL);
INSERT INTO op VALUES (1, 11, 31, 'Hernia repair', '2024-01-03', 50), (2, 12, 33, 'Hip replacement', '2024-02-03', 120), (3, 13, 31, 'Hernia repair', '2024-03-03', 70);
INSERT INTO daycare_appts VALUES (1, 1, 31, '2024-05-01'), (2, 3, 33, '2024-05-02'), (3, 4, 31, '2024-05-03');
INSERT INTO lab_res VALUES (1, 1, 'Potassium', '6.4', 'mmol/L', '2024-01-02'), (2, 2, 'Potassium', '4.1', 'mmol/L', '2024-02-02'), (3, 3, 'Potassium', 'clotted', NULL, '2024-03-02'),
    (4, 3, 'Potassium', '7.0', 'mmol/L', '2024-03-03'), (5, 1, 'Glucose', '9', 'mmol/L', '2024-01-02'), (6, 4, 'Glucose', '<2', 'mmol/L', '2024-04-02'), (7, 2, 'Glucose', '15', 'mmol/L', '2024-02-03'),
    (8, 4, 'Potassium', '5.0', 'mmol/L', '2024-04-02');
