-- Lettings: invoices with a status by numbers that a comment explains, leases
-- that may end in the future, repairs that are late.
CREATE TABLE flats (id integer PRIMARY KEY, street text NOT NULL, heating integer NOT NULL, furnished char(1) NOT NULL, retired_on date);
COMMENT ON COLUMN flats.heating IS '1 = gas, 2 = oil (old), 3 = district heating';
CREATE TABLE tenants (id integer PRIMARY KEY, name text NOT NULL, gender text NOT NULL, dob date, phone text);
CREATE TABLE leases (id integer PRIMARY KEY, flat_id integer NOT NULL REFERENCES flats, tenant_id integer NOT NULL REFERENCES tenants, rent numeric NOT NULL, signed_on date NOT NULL, valid_to date);
CREATE TABLE invoices (
    id integer PRIMARY KEY, invoice_no text NOT NULL UNIQUE, lease_id integer NOT NULL REFERENCES leases, amount numeric NOT NULL, issued_on date NOT NULL, due_on date NOT NULL,
    status integer NOT NULL
);
COMMENT ON COLUMN invoices.status IS '0 = draft, 1 = open (sent, not paid yet), 2 = paid, 3 = cancelled';
CREATE TABLE repairs (id integer PRIMARY KEY, flat_id integer NOT NULL REFERENCES flats, reported_on date NOT NULL, promised_on date NOT NULL, finished_on timestamp, max_flats integer);
COMMENT ON COLUMN repairs.finished_on IS 'NULL = in the works';
INSERT INTO flats VALUES (1, 'Elm Row', 1, 'Y', NULL), (2, 'Oak Walk', 2, 'N', NULL), (3, 'Fir Lane', 1, 'Y', '2021-01-01');
INSERT INTO tenants VALUES (1, 'Gus Hale', 'male', '1990-01-01', '1'), (2, 'Ivy Jones', 'female', '1970-01-01', NULL), (3, 'Kay Lowe', 'female', '2001-01-01', '3'), (4, 'Lou Moss', 'male', '1995-01-01', NULL);
INSERT INTO leases VALUES (1, 1, 1, 500, '2020-01-01', NULL), (2, 2, 2, 600, '2019-01-01', '2021-01-01'), (3, 3, 3, 700, '2024-01-01', '2099-01-01');
INSERT INTO invoices VALUES (1, 'I-1', 1, 500, '2020-02-01', '2020-03-01', 1), (2, 'I-2', 1, 500, '2020-03-01', '2020-04-01', 2), (3, 'I-3', 2, 600, '2020-04-01', '2020-05-01', 3),
    (4, 'I-4', 3, 700, '2024-04-01', '2099-05-01', 1), (5, 'I-5', 3, 700, '2024-05-01', '2099-06-01', 0);
INSERT INTO repairs VALUES (1, 1, '2020-01-01', '2020-01-10', '2020-01-09', 1), (2, 1, '2020-02-01', '2020-02-10', '2020-03-09', 1), (3, 2, '2020-03-01', '2020-03-10', NULL, 2);
