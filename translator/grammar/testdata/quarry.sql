-- A quarry: columns that say what they are measured in by their names, or by a comment.
CREATE TABLE blocks (id integer PRIMARY KEY, name text NOT NULL, weight_kg integer NOT NULL, height_m numeric(5,2) NOT NULL);
CREATE TABLE cuts (id integer PRIMARY KEY, block_id integer NOT NULL REFERENCES blocks, hours numeric(5,2) NOT NULL, depth integer NOT NULL, width integer NOT NULL);
COMMENT ON COLUMN cuts.depth IS 'cm, from the top';
INSERT INTO blocks VALUES (1, 'Alba', 900, 1.5), (2, 'Bruna', 3500, 2), (3, 'Chiara', 12000, 4);
INSERT INTO cuts VALUES (1, 1, 0.5, 40, 10), (2, 2, 3, 150, 20), (3, 3, 6, 300, 30);
