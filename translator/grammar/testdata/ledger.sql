-- An old program of a boatyard: names of eight letters, comments, cents, days as numbers.
CREATE TABLE hndmas (hn_no int PRIMARY KEY, hn_nam text NOT NULL, hn_in int NOT NULL, hn_out int NOT NULL DEFAULT 0, hn_pay int NOT NULL);
COMMENT ON TABLE hndmas IS 'Employees';
COMMENT ON COLUMN hndmas.hn_nam IS 'name';
COMMENT ON COLUMN hndmas.hn_in IS 'joined, yyyymmdd';
COMMENT ON COLUMN hndmas.hn_out IS 'left, yyyymmdd, 0 = still here';
COMMENT ON COLUMN hndmas.hn_pay IS 'salary, cents per month';
INSERT INTO hndmas VALUES (1, 'Abe', 20150301, 0, 300000), (2, 'Bea', 20180701, 0, 400000), (3, 'Cal', 20180101, 20231231, 500000), (4, 'Dot', 20200101, 0, 200000),
  (5, 'Eve', 20180201, 20221130, 350000), (6, 'Fay', 20100101, 20221130, 350000), (7, 'Gus', 20100101, 20210630, 350000), (8, 'Hal', 20110101, 20210630, 350000);
CREATE TABLE blhmas (bl_no int PRIMARY KEY, bl_dat int NOT NULL, bl_fal int NOT NULL, bl_net int NOT NULL, bl_rep smallint NOT NULL, bl_del smallint NOT NULL DEFAULT 0, bl_sts smallint NOT NULL DEFAULT 1);
COMMENT ON TABLE blhmas IS 'Bills to customers';
COMMENT ON COLUMN blhmas.bl_dat IS 'bill date yyyymmdd';
COMMENT ON COLUMN blhmas.bl_fal IS 'due date yyyymmdd';
COMMENT ON COLUMN blhmas.bl_net IS 'net amount in cents';
COMMENT ON COLUMN blhmas.bl_rep IS 'sales rep';
COMMENT ON COLUMN blhmas.bl_del IS '1 = deleted';
COMMENT ON COLUMN blhmas.bl_sts IS '1 = sent, 9 = cancelled';
INSERT INTO blhmas VALUES (1, 20240110, 20240210, 10000, 1, 0), (2, 20240115, 20240215, 20000, 2, 0), (3, 20240220, 20240320, 70000, 2, 0), (4, 20240221, 20240321, 90000, 1, 1), (5, 20240221, 20240321, 90000, 1, 1);
INSERT INTO blhmas VALUES (6, 20240120, 20240220, 10000, 1, 0, 9), (7, 20240121, 20240221, 10000, 1, 0, 9);
CREATE TABLE recmas (rc_no int PRIMARY KEY, rc_bil int NOT NULL, rc_on date NOT NULL, rc_amt int NOT NULL);
COMMENT ON TABLE recmas IS 'Payments received';
COMMENT ON COLUMN recmas.rc_amt IS 'amount, cents';
INSERT INTO recmas VALUES (1, 1, '2024-01-20', 4000), (2, 2, '2024-02-20', 5000);
