-- A foundry's old program: short names, a customer's number that is called otherwise where he owes, things that have days of their own
-- beside those of what happened to them.
CREATE TABLE custm1 (cno integer PRIMARY KEY, cnam varchar(40) NOT NULL, town varchar(30) NOT NULL);
CREATE TABLE repm1 (rno integer PRIMARY KEY, rnam varchar(40) NOT NULL, hirdt date NOT NULL);
CREATE TABLE modm (modno integer PRIMARY KEY, mdesc varchar(40) NOT NULL, mgrp varchar(10) NOT NULL, crtdt date NOT NULL, qtyoh integer NOT NULL, minoh integer NOT NULL);
CREATE TABLE casth (castno integer PRIMARY KEY, cno integer NOT NULL, rno integer NOT NULL REFERENCES repm1, ordtyp char(1) NOT NULL, castdt date NOT NULL, caststs char(1) NOT NULL);
COMMENT ON TABLE custm1 IS 'customers';
COMMENT ON COLUMN casth.ordtyp IS 'S sample, R repair, N normal';
CREATE TABLE castl (castno integer NOT NULL REFERENCES casth, lin smallint NOT NULL, modno integer NOT NULL REFERENCES modm, pcs integer NOT NULL, prc numeric(9,2) NOT NULL, PRIMARY KEY (castno, lin));
CREATE TABLE ar_bil (bilno integer PRIMARY KEY, debno integer NOT NULL, castno integer, bildt date NOT NULL, net numeric(9,2) NOT NULL, paid numeric(9,2) NOT NULL);
COMMENT ON COLUMN ar_bil.debno IS 'customer';
INSERT INTO custm1 VALUES (4101, 'Alder Works', 'Hull'), (4102, 'Birch & Co', 'Leeds'), (4103, 'Cedar Ltd', 'Hull');
INSERT INTO repm1 VALUES (1, 'Ida Moss', '2019-03-01'), (2, 'Jon Penn', current_date);
INSERT INTO modm VALUES (70, 'Lamp post', 'STREET', '2020-01-01', 4, 10), (71, 'Bench end', 'PARK', current_date, 0, 5), (72, 'Bell', 'CHURCH', '2018-01-01', 9, 2);
INSERT INTO casth VALUES (1, 4101, 1, 'N', '2023-05-02', 'D'), (2, 4101, 1, 'R', current_date, 'O'), (3, 4102, 2, 'N', current_date, 'O'), (4, 4103, 2, 'R', '2023-06-01', 'X');
INSERT INTO castl VALUES (1, 1, 70, 10, 5), (2, 1, 70, 2, 50), (2, 2, 71, 3, 20), (3, 1, 71, 1, 300), (4, 1, 72, 9, 90);
INSERT INTO ar_bil VALUES (901, 4101, 1, '2023-05-20', 50, 50), (902, 4102, 3, current_date, 300, 0), (903, 4103, NULL, current_date, 700, 100), (904, 4103, 2, current_date, 10, 10);
