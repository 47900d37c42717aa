-- A ferry line: an old part with terse names, and bookings that clerks take.
CREATE TABLE pasm1 (pasno int PRIMARY KEY, nam varchar(30) NOT NULL, town varchar(30), crtd date NOT NULL DEFAULT current_date - 3, delfl char(1) NOT NULL DEFAULT ' ');
COMMENT ON TABLE pasm1 IS 'passenger master';
CREATE TABLE crgm1 (crgno int PRIMARY KEY, wgt int NOT NULL, delfl char(1) NOT NULL DEFAULT ' ');
CREATE TABLE clerks (clerk_id int PRIMARY KEY, full_name text NOT NULL, office text NOT NULL, left_on date);
CREATE TABLE orders (order_id int PRIMARY KEY, reference text NOT NULL UNIQUE, clerk_id int NOT NULL REFERENCES clerks, pasno int NOT NULL REFERENCES pasm1,
	ordered_on date NOT NULL, void_reason text, total_amount numeric NOT NULL);
INSERT INTO pasm1 (pasno, nam, town, delfl) SELECT n, 'Pass ' || n, CASE WHEN n % 2 = 0 THEN 'Hull' ELSE 'Cork' END, CASE WHEN n % 5 = 0 THEN 'X' ELSE ' ' END FROM generate_series(1, 20) AS n;
INSERT INTO crgm1 SELECT n, n * 10, CASE WHEN n % 5 = 0 THEN 'X' ELSE ' ' END FROM generate_series(1, 20) AS n;
INSERT INTO clerks VALUES (1, 'Ida Moor', 'North', NULL), (2, 'Ole Quist', 'South', current_date - 30);
INSERT INTO orders SELECT n, 'F-' || (100 + n), 1 + n % 2, n, current_date - n, CASE WHEN n % 7 = 0 THEN 'Work' END, 10 * n FROM generate_series(1, 20) AS n;
