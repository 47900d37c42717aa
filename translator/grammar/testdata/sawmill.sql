-- A sawmill with short names, which an administrator has explained.
CREATE TABLE emp (emp_no int PRIMARY KEY, f_nm text NOT NULL, l_nm text NOT NULL, shft char(1), hire_dt date NOT NULL, term_dt date);
CREATE TABLE vnd (vnd_no int PRIMARY KEY, vnd_nm text NOT NULL);
CREATE TABLE itm (itm_no text PRIMARY KEY, vnd_no int REFERENCES vnd, st char(1) NOT NULL);
CREATE TABLE bal (whs char(2) NOT NULL, itm_no text NOT NULL REFERENCES itm, q_oh int NOT NULL, q_al int NOT NULL, PRIMARY KEY (whs, itm_no));
CREATE TABLE ord (ord_no int PRIMARY KEY, rep_no int REFERENCES emp, ord_dt date NOT NULL);
CREATE TABLE buy (buy_no int PRIMARY KEY, vnd_no int NOT NULL REFERENCES vnd, buy_dt date NOT NULL);
CREATE TABLE bln (buy_no int NOT NULL REFERENCES buy, ln int NOT NULL, qty int NOT NULL, cst numeric(8,2) NOT NULL, due_dt date, PRIMARY KEY (buy_no, ln));
CREATE TABLE wrk (wo_no int PRIMARY KEY, st smallint NOT NULL, sch_dt date);
CREATE TABLE lbr (wo_no int NOT NULL REFERENCES wrk, op int NOT NULL, emp_no int NOT NULL REFERENCES emp, hrs numeric(5,2) NOT NULL, lbr_dt date NOT NULL, PRIMARY KEY (wo_no, op));
INSERT INTO emp VALUES (1, 'Ann', 'Ash', 'D', '2019-01-01', NULL), (2, 'Bob', 'Elm', 'N', '2019-01-01', NULL), (3, 'Cy', 'Oak', 'N', '2019-01-01', '2022-01-01');
INSERT INTO vnd VALUES (1, 'Nordholz'), (2, 'Pinewerk');
INSERT INTO itm VALUES ('B-1', 1, 'A'), ('B-2', NULL, 'P'), ('B-3', 2, 'A');
INSERT INTO bal VALUES ('01', 'B-1', 5, 1), ('02', 'B-1', 7, 0), ('01', 'B-2', 0, 0);
INSERT INTO ord VALUES (1, 1, '2024-01-01'), (2, 2, '2024-02-01'), (3, 1, '2024-03-01');
INSERT INTO buy VALUES (1, 1, '2024-01-01'), (2, 2, '2024-02-01');
INSERT INTO bln VALUES (1, 1, 2, 10, '2024-03-01'), (1, 2, 1, 5, '2024-03-01'), (2, 1, 4, 8, '2025-01-01');
INSERT INTO wrk VALUES (1, 3, '2024-01-01'), (2, 4, '2024-01-01'), (3, 3, '2024-01-01');
INSERT INTO lbr VALUES (1, 1, 1, 2.5, '2024-01-05'), (1, 2, 2, 3, '2024-01-06'), (2, 1, 1, 4, '2024-02-05');
