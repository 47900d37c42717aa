-- A farmers' co-operative, as its old program names things: words are cut to their first letters, legends have no marks.
CREATE TABLE grwm (grno integer PRIMARY KEY, gnam varchar(40) NOT NULL, crlim numeric(9,2), pytrm smallint NOT NULL, gcls char(1) NOT NULL);
COMMENT ON COLUMN grwm.gcls IS 'A organic B mixed C on trial';
CREATE TABLE trcm (trno integer PRIMARY KEY, tnam varchar(40) NOT NULL, tst smallint NOT NULL);
COMMENT ON COLUMN trcm.tst IS '1 in use 2 in repair 3 sold';
CREATE TABLE hrvt (hvno integer PRIMARY KEY, grno integer NOT NULL, trno integer NOT NULL, hdt date NOT NULL, kgs integer NOT NULL, okflg smallint NOT NULL);
COMMENT ON COLUMN hrvt.okflg IS 'quality';
INSERT INTO grwm VALUES (1, 'Adler', 500, 30, 'A'), (2, 'Bach', 900, 14, 'B'), (3, 'Conti', NULL, 30, 'A'), (4, 'Dorn', 100, 30, 'B'), (5, 'Egli', 700, 14, 'C');
INSERT INTO trcm VALUES (1, 'Big Red', 1), (2, 'Old Blue', 2), (3, 'Green', 1), (4, 'Grey', 3), (5, 'White', 2);
INSERT INTO hrvt VALUES (1, 1, 1, '2024-05-01', 100, 1), (2, 1, 2, '2024-05-09', 50, 1), (3, 2, 1, '2024-06-01', 70, 2), (4, 5, 3, '2023-06-01', 30, 1);
