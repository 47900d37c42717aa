-- A pantry: two kinds of things are in stock.
CREATE TABLE jars (id integer PRIMARY KEY, name text NOT NULL UNIQUE, stock integer NOT NULL);
CREATE TABLE pans (id integer PRIMARY KEY, name text NOT NULL UNIQUE, stock integer NOT NULL);
INSERT INTO jars VALUES (1, 'Jam', 0), (2, 'Honey', 3);
INSERT INTO pans VALUES (1, 'Wok', 0), (2, 'Skillet', 2);
