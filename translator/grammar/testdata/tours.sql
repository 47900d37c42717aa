-- Bands on tour: a state of each concert, tickets as events, dates of things
-- and of what happens to them, two ways from a fan to a town.
CREATE TABLE bands (
    id        integer PRIMARY KEY,
    name      text NOT NULL UNIQUE,
    style     text NOT NULL,
    formed_on date NOT NULL
);
CREATE TABLE venues (
    id       integer PRIMARY KEY,
    name     text NOT NULL UNIQUE,
    town     text NOT NULL,
    capacity integer NOT NULL
);
CREATE TABLE concerts (
    id         integer PRIMARY KEY,
    band_id    integer NOT NULL REFERENCES bands,
    venue_id   integer NOT NULL REFERENCES venues,
    played_on  date NOT NULL,
    status     text NOT NULL,
    attendance integer NOT NULL
);
CREATE TABLE fans (
    id            integer PRIMARY KEY,
    name          text NOT NULL,
    town          text NOT NULL,
    registered_on date NOT NULL
);
CREATE TABLE tickets (
    id         integer PRIMARY KEY,
    concert_id integer NOT NULL REFERENCES concerts,
    fan_id     integer NOT NULL REFERENCES fans,
    sold_at    timestamptz NOT NULL,
    amount     numeric(8,2) NOT NULL
);
INSERT INTO bands VALUES (1, 'Iron Larks', 'rock', '2010-01-01'), (2, 'Blue Hours', 'jazz', '2018-05-05'), (3, 'Salt Choir', 'folk', '2024-01-01');
INSERT INTO venues VALUES (1, 'Dock Hall', 'Hull', 800), (2, 'Round Room', 'Bath', 300), (3, 'Mill Stage', 'Hull', 150);
INSERT INTO concerts VALUES
    (1, 1, 1, '2023-05-01', 'played', 700), (2, 1, 2, '2024-05-02', 'played', 280), (3, 2, 2, '2024-06-01', 'cancelled', 0),
    (4, 2, 3, '2024-07-01', 'played', 120), (5, 1, 1, '2024-08-01', 'cancelled', 0);
INSERT INTO fans VALUES (1, 'Kai Sol', 'Hull', '2022-01-01'), (2, 'Lea Tarn', 'Bath', '2024-02-02'), (3, 'Max Urban', 'Hull', '2024-03-03'), (4, 'Nia Voss', 'Bath', '2020-04-04');
INSERT INTO tickets VALUES
    (1, 1, 1, '2023-01-10 12:00+00', 40), (2, 2, 1, '2024-03-10 12:00+00', 30), (3, 2, 2, '2024-03-11 12:00+00', 30),
    (4, 4, 1, '2024-06-20 12:00+00', 20), (5, 1, 4, '2023-02-10 12:00+00', 40), (6, 4, 4, '2024-06-21 12:00+00', 25);
