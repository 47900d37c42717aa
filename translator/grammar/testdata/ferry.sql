-- A ferry line: reminders that captains want, ships that are on loan since a day.
CREATE TABLE captains (id integer PRIMARY KEY, name text NOT NULL, reminders boolean NOT NULL);
CREATE TABLE ships (id integer PRIMARY KEY, name text NOT NULL UNIQUE, on_loan_since date);
INSERT INTO captains VALUES (1, 'Dee Eads', true), (2, 'Ed Frey', false);
INSERT INTO ships VALUES (1, 'Gull', '2023-05-01'), (2, 'Heron', NULL);
