-- Rows of a wine merchant who holds tastings.
CREATE TABLE regions (id integer PRIMARY KEY, name text NOT NULL UNIQUE, country text NOT NULL);
CREATE TABLE wines (id integer PRIMARY KEY, name text NOT NULL UNIQUE, region_id integer NOT NULL REFERENCES regions, vintage integer NOT NULL, colour text NOT NULL, price numeric(8,2) NOT NULL, cost numeric(8,2), bottles_in_stock integer NOT NULL, organic boolean NOT NULL, added_on date NOT NULL);
CREATE TABLE clients (id integer PRIMARY KEY, full_name text NOT NULL, town text NOT NULL, joined_on date NOT NULL);
CREATE TABLE tastings (id integer PRIMARY KEY, title text NOT NULL, held_on date NOT NULL, seats integer NOT NULL);
CREATE TABLE guests (tasting_id integer NOT NULL REFERENCES tastings, client_id integer NOT NULL REFERENCES clients, booked_at timestamptz NOT NULL, came boolean, PRIMARY KEY (tasting_id, client_id));
CREATE TABLE ratings (id integer PRIMARY KEY, wine_id integer NOT NULL REFERENCES wines, client_id integer NOT NULL REFERENCES clients, stars integer NOT NULL CHECK (stars BETWEEN 1 AND 5), given_on date NOT NULL);
INSERT INTO regions VALUES (1, 'Rioja', 'Spain'), (2, 'Mosel', 'Germany'), (3, 'Douro', 'Portugal');
INSERT INTO wines VALUES (1, 'Casa Alta', 1, 2012, 'red', 18.5, 9, 0, true, '2024-01-05'), (2, 'Haus Berg', 2, 2019, 'white', 12, 6, 14, false, '2024-02-01'), (3, 'Villa Serra', 3, 2016, 'red', 33, 15, 3, true, '2024-03-01'), (4, 'Monte Frio', 1, 2018, 'red', 24, NULL, 8, false, '2024-03-09');
INSERT INTO clients VALUES (1, 'Ann Hill', 'Bath', '2023-05-01'), (2, 'Bob Stone', 'Leeds', '2023-06-01'), (3, 'Carla Wood', 'York', '2024-01-01');
INSERT INTO tastings VALUES (1, 'Red Night', '2024-02-10', 12), (2, 'Old World', '2024-03-10', 10);
INSERT INTO guests VALUES (1, 1, '2024-01-20', true), (1, 2, '2024-01-21', false), (2, 1, '2024-02-20', false);
INSERT INTO ratings VALUES (1, 1, 1, 5, '2024-02-11'), (2, 1, 2, 2, '2024-02-12'), (3, 2, 1, 1, '2024-02-12'), (4, 3, 2, 4, '2024-03-11');
