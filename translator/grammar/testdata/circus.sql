-- Troupes of a circus, in whose shows a venue and a tour meet.
CREATE TABLE troupe (troupe_id integer PRIMARY KEY, name text NOT NULL UNIQUE);
CREATE TABLE venue (venue_id integer PRIMARY KEY, name text NOT NULL UNIQUE);
CREATE TABLE tour (tour_id integer PRIMARY KEY, name text NOT NULL UNIQUE);
CREATE TABLE performance (performance_id integer PRIMARY KEY, troupe_id integer NOT NULL REFERENCES troupe, venue_id integer NOT NULL REFERENCES venue, tour_id integer NOT NULL REFERENCES tour, held_on date NOT NULL, duration integer NOT NULL, checked_in varchar(3) NOT NULL);
CREATE TABLE artist (artist_id integer PRIMARY KEY, name text NOT NULL);
CREATE TABLE troupe_member (troupe_id integer NOT NULL REFERENCES troupe, artist_id integer NOT NULL REFERENCES artist, role text NOT NULL, PRIMARY KEY (troupe_id, artist_id));
CREATE TABLE bill (bill_id integer PRIMARY KEY, performance_id integer NOT NULL REFERENCES performance, amount numeric(8,2) NOT NULL, stat char(1) NOT NULL);
INSERT INTO troupe VALUES (1, 'Ash'), (2, 'Birch'), (3, 'Cedar');
INSERT INTO venue VALUES (1, 'Big Top'), (2, 'Old Mill');
INSERT INTO tour VALUES (1, 'Spring Tour'), (2, 'Autumn Tour');
INSERT INTO performance VALUES (1, 1, 1, 1, '2024-03-01', 45, 'Yes'), (2, 2, 1, 2, '2024-03-05', 60, 'No'), (3, 2, 2, 1, '2024-04-01', 90, 'Yes'), (4, 3, 2, 2, '2024-04-02', 120, 'No');
INSERT INTO artist VALUES (1, 'Ida Ray'), (2, 'Jon Sea'), (3, 'Kit Tor');
INSERT INTO troupe_member VALUES (1, 1, 'juggler'), (1, 2, 'clown'), (2, 3, 'rider');
INSERT INTO bill VALUES (1, 1, 100, 'O'), (2, 2, 200, 'P'), (3, 3, 300, 'P');
