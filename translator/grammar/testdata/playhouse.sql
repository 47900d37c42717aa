-- A playhouse: words of everyday questions name a part of one column and the whole of none, and what is asked may be told by another.
CREATE TABLE halls (id integer PRIMARY KEY, name text NOT NULL UNIQUE, capacity integer NOT NULL);
CREATE TABLE plays (
    id integer PRIMARY KEY, title text NOT NULL UNIQUE, genre text NOT NULL, premiere_date date NOT NULL, closing_date date, report_due date, lump_sum numeric(8,2)
);
CREATE TABLE actors (id integer PRIMARY KEY, name text NOT NULL UNIQUE, specialty text NOT NULL, hourly_wage numeric(6,2) NOT NULL, joined_on date NOT NULL, referred_by integer REFERENCES actors);
CREATE TABLE castings (id integer PRIMARY KEY, play_id integer NOT NULL REFERENCES plays, actor_id integer NOT NULL REFERENCES actors, fee_per_show numeric(8,2) NOT NULL);
CREATE TABLE rehearsal_hours (
    id integer PRIMARY KEY, play_id integer NOT NULL REFERENCES plays, actor_id integer NOT NULL REFERENCES actors, worked_on date NOT NULL, hours numeric(4,1) NOT NULL
);
CREATE TABLE shows (id integer PRIMARY KEY, play_id integer NOT NULL REFERENCES plays, hall_id integer NOT NULL REFERENCES halls, starts_at timestamp NOT NULL);
CREATE TABLE price_bands (id integer PRIMARY KEY, play_id integer NOT NULL REFERENCES plays, name text NOT NULL, price numeric(8,2) NOT NULL);
CREATE TABLE patrons (id integer PRIMARY KEY, name text NOT NULL UNIQUE, town text NOT NULL);
CREATE TABLE pledges (id integer PRIMARY KEY, patron_id integer NOT NULL REFERENCES patrons, pledged_on date NOT NULL, monthly_amount numeric(8,2) NOT NULL, paid boolean NOT NULL);
CREATE TABLE bookings (id integer PRIMARY KEY, patron_id integer NOT NULL REFERENCES patrons, show_id integer NOT NULL REFERENCES shows);
CREATE TABLE tickets (id integer PRIMARY KEY, booking_id integer NOT NULL REFERENCES bookings, band_id integer NOT NULL REFERENCES price_bands, seat text NOT NULL, price_paid numeric(8,2) NOT NULL);
CREATE TABLE expenses (id integer PRIMARY KEY, play_id integer NOT NULL REFERENCES plays, spent_on date NOT NULL, amount numeric(10,2) NOT NULL);
CREATE TABLE galas (id integer PRIMARY KEY, title text NOT NULL UNIQUE, venue text NOT NULL, held_on date NOT NULL);
CREATE TABLE workshops (id integer PRIMARY KEY, title text NOT NULL UNIQUE, opened date, closed date);
CREATE TABLE time_entries (id integer PRIMARY KEY, workshop_id integer NOT NULL REFERENCES workshops, written_on date NOT NULL, minutes integer NOT NULL);
CREATE TABLE joiners (id integer PRIMARY KEY, first_name text NOT NULL, last_name text NOT NULL, specialty text);
INSERT INTO joiners VALUES (1, 'Raj', 'Patel', 'brakes'), (2, 'Sue', 'Wood', 'electrics'), (3, 'Ted', 'Yates', 'engines');
INSERT INTO workshops VALUES (1, 'Masks', '2024-01-01', '2024-02-01'), (2, 'Wigs', '2024-03-01', NULL);
INSERT INTO time_entries VALUES (1, 1, '2024-01-02', 30), (2, 2, '2024-03-02', 40);
INSERT INTO halls VALUES (1, 'Great Hall', 300), (2, 'Studio', 80);
INSERT INTO plays VALUES (1, 'Owl', 'comedy', '2024-01-10', '2024-03-01', '2024-04-01', 500), (2, 'Fog', 'drama', '2024-05-02', NULL, NULL, NULL), (3, 'Elm', 'drama', '2024-10-02', NULL, NULL, NULL);
INSERT INTO actors VALUES (1, 'Ada Bell', 'fencing', 20, '2020-01-01', NULL), (2, 'Ben Cole', 'song', 25, '2024-09-01', 1), (3, 'Cy Dunn', 'dance', 22, '2021-01-01', 1);
INSERT INTO castings VALUES (1, 1, 1, 100), (2, 1, 2, 80), (3, 2, 3, 90);
INSERT INTO rehearsal_hours VALUES (1, 1, 1, '2024-08-01', 8), (2, 1, 2, '2024-08-01', 1), (3, 2, 2, '2024-08-02', 2), (4, 2, 2, '2024-08-03', 1);
INSERT INTO shows VALUES (1, 1, 1, '2024-02-01 19:30'), (2, 1, 2, '2024-02-02 19:30'), (3, 2, 2, '2024-06-01 19:30');
INSERT INTO price_bands VALUES (1, 1, 'stalls', 40), (2, 1, 'circle', 25), (3, 2, 'stalls', 30);
INSERT INTO patrons VALUES (1, 'Dee Ellis', 'York'), (2, 'Eli Frost', 'York'), (3, 'Fay Gray', 'Hull');
INSERT INTO pledges VALUES (1, 1, '2024-01-01', 10, true), (2, 1, '2024-02-01', 15, false);
INSERT INTO bookings VALUES (1, 1, 1), (2, 1, 3), (3, 3, 2);
INSERT INTO tickets VALUES (1, 1, 1, 'A1', 38), (2, 1, 1, 'A2', 38), (3, 2, 3, 'A1', 30), (4, 3, 2, 'B7', 20);
INSERT INTO expenses VALUES (1, 1, '2024-01-05', 300), (2, 2, '2024-04-05', 200);
INSERT INTO galas VALUES (1, 'Ball', 'Town Hall', '2024-12-12'), (2, 'Feast', 'Pier', '2024-05-12');
