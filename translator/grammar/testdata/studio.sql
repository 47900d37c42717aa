-- A recording studio: discounts that artists get, microphones in repair since a day.
CREATE TABLE artists (id integer PRIMARY KEY, name text NOT NULL, discount boolean NOT NULL);
CREATE TABLE microphones (id integer PRIMARY KEY, name text NOT NULL UNIQUE, in_repair_since timestamp);
INSERT INTO artists VALUES (1, 'Flo Gray', false), (2, 'Gil Hale', true);
INSERT INTO microphones VALUES (1, 'M1', NULL), (2, 'M2', '2024-02-01 10:00'), (3, 'M3', '2024-03-01 10:00');
CREATE TABLE bookings (id integer PRIMARY KEY, artist_id integer NOT NULL REFERENCES artists, microphone_id integer NOT NULL REFERENCES microphones, booked_on date NOT NULL, engineer_included boolean NOT NULL, margin numeric(5,2) NOT NULL);
CREATE TABLE services (id integer PRIMARY KEY, booking_id integer NOT NULL REFERENCES bookings, kind text NOT NULL);
CREATE TABLE faults (id integer PRIMARY KEY, microphone_id integer NOT NULL REFERENCES microphones, seen_on date NOT NULL, closed_at timestamp);
INSERT INTO bookings VALUES (1, 1, 1, '2024-01-10', true, 5), (2, 2, 1, '2024-02-10', false, 10), (3, 2, 3, '2024-02-20', true, 25.5);
INSERT INTO services VALUES (1, 1, 'piano'), (2, 2, 'engineer'), (3, 3, 'piano');
INSERT INTO faults VALUES (1, 2, '2024-01-02', NULL), (2, 2, '2024-01-03', '2024-01-04 08:00'), (3, 3, '2024-01-05', NULL);
