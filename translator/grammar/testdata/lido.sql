-- A lido: swimmers, the pools they have lessons in, and what these cost.
CREATE TABLE pools (id integer PRIMARY KEY, name text NOT NULL UNIQUE, county text NOT NULL, depth_m numeric(4,1) NOT NULL, heated boolean NOT NULL);
CREATE TABLE swimmers (id integer PRIMARY KEY, first_name text NOT NULL, last_name text NOT NULL, age integer NOT NULL, town text NOT NULL, grade text NOT NULL);
CREATE TABLE lessons (id integer PRIMARY KEY, swimmer_id integer NOT NULL REFERENCES swimmers, pool_id integer NOT NULL REFERENCES pools, held_on date NOT NULL, fee numeric(6,2) NOT NULL);
INSERT INTO pools VALUES (1, 'Kelp', 'Devon', 1.2, true), (2, 'Tern', 'Devon', 3.5, false), (3, 'Wrack', 'Kent', 2.0, true), (4, 'Limpet', 'Fife', 0.9, true);
INSERT INTO swimmers VALUES (1, 'Una', 'Rook', 12, 'Bude', 'bronze'), (2, 'Ewan', 'Sands', 31, 'Deal', 'silver'), (3, 'Iris', 'Thorn', 45, 'Bude', 'silver'), (4, 'Olaf', 'Vane', 23, 'Deal', 'gold');
INSERT INTO lessons VALUES (1, 1, 1, '2024-03-01', 12), (2, 1, 2, '2024-04-01', 14), (3, 2, 3, '2024-05-01', 20), (4, 3, 1, '2025-01-10', 12), (5, 3, 1, '2025-02-10', 16), (6, 3, 3, '2025-03-10', 20);
