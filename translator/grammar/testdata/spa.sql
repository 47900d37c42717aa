-- A spa with the usual warts of an old system: one table for the codes of all columns, a day in the far future for none,
-- records that were merged or made in error, rows marked as deleted, and what a migration left behind.
CREATE TABLE pick (
    lst varchar(8) NOT NULL,
    cod varchar(4) NOT NULL,
    txt varchar(40) NOT NULL,
    PRIMARY KEY (lst, cod)
);
COMMENT ON TABLE pick IS 'all pick lists: EXST = exam.ex_st, DISHOW = stay.dis_how';
CREATE TABLE lodge (
    lodge_cd  varchar(3) PRIMARY KEY,
    lodge_nm  varchar(30) NOT NULL,
    rooms smallint NOT NULL,
    clsd_d   date
);
CREATE TABLE crew (
    crew_no integer PRIMARY KEY,
    fnm     varchar(30) NOT NULL,
    snm     varchar(30) NOT NULL,
    hire_d  date NOT NULL,
    lv_d    date NOT NULL DEFAULT '9999-12-31'
);
CREATE TABLE cook (
    cook_no integer PRIMARY KEY,
    fnm     varchar(30) NOT NULL,
    snm     varchar(30) NOT NULL,
    hire_dt date NOT NULL,
    end_dt  date
);
CREATE TABLE guest (
    gst_no integer PRIMARY KEY,
    fnm     varchar(30) NOT NULL,
    snm     varchar(30) NOT NULL,
    mob     varchar(16),
    dod     date,
    rec_st  char(1) NOT NULL
);
COMMENT ON COLUMN guest.rec_st IS 'A live record, M merged into another, T test record';
CREATE TABLE stay (
    stay_no integer PRIMARY KEY,
    gst_no integer NOT NULL REFERENCES guest,
    lodge_cd varchar(3) NOT NULL REFERENCES lodge,
    kind    char(1) NOT NULL,
    adm_d   date NOT NULL,
    dis_d   date,
    dis_how varchar(2),
    void_yn char(1) NOT NULL
);
COMMENT ON COLUMN stay.kind IS 'S summer, W winter, V visitor';
COMMENT ON COLUMN stay.void_yn IS 'Y = entered in error';
CREATE TABLE stay_old (old_no varchar(8), guest_name varchar(60), kiosk varchar(20));
CREATE TABLE kio (
    kio_cd varchar(4) PRIMARY KEY,
    kio_nm varchar(30) NOT NULL,
    site   varchar(30) NOT NULL,
    act_yn char(1) NOT NULL
);
CREATE TABLE trip (
    trip_no  integer PRIMARY KEY,
    lodge_cd varchar(3) NOT NULL REFERENCES lodge,
    trip_ty  char(1) NOT NULL,
    trip_d   date NOT NULL,
    trip_st  char(1) NOT NULL
);
COMMENT ON COLUMN trip.trip_st IS 'D done, C cancelled before departure';
CREATE TABLE hlin (hlin_cd varchar(4) PRIMARY KEY, hlin_nm varchar(30) NOT NULL);
CREATE TABLE exam (
    exam_no integer PRIMARY KEY,
    gst_no integer NOT NULL REFERENCES guest,
    kio_cd  varchar(4) NOT NULL REFERENCES kio,
    bk_d    date NOT NULL,
    exam_ts timestamp NOT NULL,
    ex_st   smallint NOT NULL,
    del_ts  timestamp
);
INSERT INTO pick VALUES ('EXST', '1', 'Booked'), ('EXST', '2', 'Passed'), ('EXST', '3', 'Did not turn up'),
    ('DISHOW', '1', 'Went home'), ('DISHOW', '2', 'Transferred'), ('DISHOW', '3', 'Cured');
INSERT INTO lodge VALUES ('L', 'Long Lodge', 40, NULL), ('S', 'Stone Lodge', 12, NULL), ('O', 'Old Lodge', 9, current_date - 300),
    ('E', 'Evening', 5, NULL), ('N', 'Noon', 6, NULL);
INSERT INTO crew VALUES (1, 'Abe', 'Ness', current_date - 900), (2, 'Bea', 'Orr', current_date - 800), (3, 'Cal', 'Pike', current_date - 700),
    (4, 'Dot', 'Quist', current_date - 600);
INSERT INTO crew SELECT i, 'Em' || i, 'Ray' || i, current_date - 800, current_date - i FROM generate_series(10, 20) i;
UPDATE crew SET lv_d = current_date - 40 WHERE crew_no = 4;
INSERT INTO cook VALUES (1, 'Gil', 'Usk', current_date - 900, NULL), (2, 'Hew', 'Vole', current_date - 900, current_date - 40), (3, 'Ina', 'Wye', current_date - 900, current_date - 400);
INSERT INTO guest VALUES (1, 'Eli', 'Rook', '0701', NULL, 'A'), (2, 'Fay', 'Sand', '0702', '2024-03-05', 'A'), (3, 'Gus', 'Thorn', NULL, NULL, 'A'),
    (4, 'Eli', 'Rook', NULL, NULL, 'M'), (5, 'Test', 'Test', NULL, NULL, 'T'), (6, 'Hal', 'Umber', '0706', NULL, 'A'),
    (7, 'Gus', 'Thorn', NULL, NULL, 'M'), (8, 'Test', 'Two', NULL, NULL, 'T');
INSERT INTO stay VALUES (1, 1, 'L', 'S', current_date - 20, NULL, NULL, 'N'), (2, 3, 'L', 'V', current_date - 900, current_date - 890, '1', 'N'),
    (3, 6, 'L', 'V', current_date - 5, NULL, NULL, 'Y'), (4, 6, 'S', 'W', current_date - 3, NULL, NULL, 'N'), (5, 3, 'O', 'S', current_date - 500, current_date - 460, '3', 'N'),
    (6, 3, 'L', 'W', current_date - 400, current_date - 390, '2', 'Y'), (7, 2, 'S', 'W', current_date - 350, current_date - 340, '2', 'N');
INSERT INTO stay_old VALUES ('9', 'Eli Rook', 'ICE');
INSERT INTO kio VALUES ('ICE', 'Ice Kiosk', 'Stone Quay', 'Y'), ('TEA', 'Tea Kiosk', 'Stone Quay', 'N'), ('BUN', 'Bun Kiosk', 'Lock Gate', 'Y');
INSERT INTO trip SELECT i, CASE WHEN i % 2 = 0 THEN 'E' ELSE 'N' END, CASE WHEN i % 3 = 0 THEN 'E' ELSE 'L' END, current_date - 9 * i, CASE WHEN i % 4 = 0 THEN 'C' ELSE 'D' END
    FROM generate_series(1, 12) i;
INSERT INTO hlin VALUES ('A', 'Alder'), ('B', 'Birch');
INSERT INTO exam SELECT i, 1 + i % 3, CASE WHEN i % 4 = 0 THEN 'BUN' ELSE 'ICE' END, current_date - 80 - i, date_trunc('month', current_date) - interval '5 days' - i * interval '20 hours',
    1 + i % 3, CASE WHEN i = 20 THEN current_timestamp - interval '90 days' END FROM generate_series(1, 24) i;
