-- An allotment: what gardeners get, and plots that are out of use since a day.
CREATE TABLE gardeners (id integer PRIMARY KEY, name text NOT NULL, newsletter boolean NOT NULL);
CREATE TABLE plots (id integer PRIMARY KEY, label text NOT NULL UNIQUE, out_of_use_since date);
INSERT INTO gardeners VALUES (1, 'Ann Bell', true), (2, 'Bo Cain', false), (3, 'Cy Dorn', true);
INSERT INTO plots VALUES (1, 'P-1', NULL), (2, 'P-2', '2024-01-01'), (3, 'P-3', NULL);
