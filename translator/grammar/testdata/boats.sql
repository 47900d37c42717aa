-- Boats for hire: a table says what codes of their state stand for, extras and tariffs have a price for each day, bills a net and a gross amount.
CREATE TABLE boat_states (code char(1) PRIMARY KEY, descr text NOT NULL);
CREATE TABLE piers (pier_id int PRIMARY KEY, name text NOT NULL UNIQUE);
CREATE TABLE boats (boat_id int PRIMARY KEY, plate text NOT NULL UNIQUE, state char(1) NOT NULL REFERENCES boat_states, pier_id int NOT NULL REFERENCES piers, hrs int NOT NULL);
COMMENT ON COLUMN boats.hrs IS 'last known engine reading';
CREATE TABLE rentals (rental_id int PRIMARY KEY, boat_id int NOT NULL REFERENCES boats, begun_on date NOT NULL);
CREATE TABLE extras (extra_id int PRIMARY KEY, name text NOT NULL UNIQUE, day_price numeric(6,2) NOT NULL);
CREATE TABLE bills (bill_id int PRIMARY KEY, bill_no text NOT NULL UNIQUE, rental_id int NOT NULL REFERENCES rentals, net numeric(8,2) NOT NULL, gross numeric(8,2) NOT NULL);
CREATE TABLE payments (payment_id int PRIMARY KEY, bill_id int NOT NULL REFERENCES bills, amount numeric(8,2) NOT NULL, paid_on date NOT NULL);
INSERT INTO boat_states VALUES ('A', 'available'), ('H', 'on rent'), ('Y', 'in yard'), ('S', 'sold');
INSERT INTO piers VALUES (1, 'North Pier'), (2, 'South Pier');
INSERT INTO boats VALUES (1, 'AB1', 'A', 1, 700), (2, 'AB2', 'H', 1, 800), (3, 'AB3', 'Y', 2, 900), (4, 'AB4', 'A', 2, 100), (5, 'AB5', 'S', 2, 50);
INSERT INTO rentals VALUES (1, 1, '2024-01-01'), (2, 1, '2024-02-01'), (3, 2, '2024-02-02'), (4, 2, '2024-03-02'), (5, 2, '2024-04-02');
INSERT INTO extras VALUES (1, 'Child vest', 4.5), (2, 'Anchor', 12);
INSERT INTO bills VALUES (1, 'B-1', 1, 100, 119), (2, 'B-2', 2, 200, 238);
INSERT INTO payments VALUES (1, 1, 60, '2024-01-10'), (2, 1, 59, '2024-01-20');
ANALYZE;
