-- A saddlery: prices before a discount, courses with a number of places, short names of tables, and things that are made or bought.
CREATE TABLE tack (id int PRIMARY KEY, name text NOT NULL UNIQUE, made char(1) NOT NULL);
CREATE TABLE shops (id int PRIMARY KEY, name text NOT NULL UNIQUE);
CREATE TABLE ords (id int PRIMARY KEY, shop_id int NOT NULL REFERENCES shops, ord_dt date NOT NULL);
CREATE TABLE order_items (order_id int NOT NULL REFERENCES ords, line int NOT NULL, tack_id int NOT NULL REFERENCES tack, quantity int NOT NULL, unit_price numeric(8,2) NOT NULL, discount_percent numeric(4,1) NOT NULL DEFAULT 0 CHECK (discount_percent BETWEEN 0 AND 100), PRIMARY KEY (order_id, line));
COMMENT ON COLUMN order_items.unit_price IS 'Price per piece, before discount';
CREATE TABLE sup (id int PRIMARY KEY, name text NOT NULL UNIQUE);
CREATE TABLE po (id int PRIMARY KEY, sup_id int NOT NULL REFERENCES sup, po_dt date NOT NULL);
CREATE TABLE courses (id int PRIMARY KEY, title text NOT NULL UNIQUE, held_on date NOT NULL, max_participants int NOT NULL);
INSERT INTO tack VALUES (1, 'Saddle', 'Y'), (2, 'Bridle', 'N'), (3, 'Rope', 'N');
INSERT INTO shops VALUES (1, 'North Gate'), (2, 'South Gate');
INSERT INTO ords VALUES (1, 1, '2024-03-01'), (2, 2, '2024-03-02'), (3, 1, '2024-04-01');
INSERT INTO order_items VALUES (1, 1, 1, 1, 400, 10), (2, 1, 2, 2, 50, 0), (3, 1, 3, 4, 5, 50);
INSERT INTO sup VALUES (1, 'Hide & Sons'), (2, 'Tanner');
INSERT INTO po VALUES (1, 1, '2024-03-01'), (2, 2, '2024-05-01');
INSERT INTO courses VALUES (1, 'Stitching', '2024-03-09', 8), (2, 'Dyeing', '2024-05-09', 12);
INSERT INTO tack VALUES (4, 'Girth', 'N');
CREATE TABLE repairs (id int PRIMARY KEY, tack_id int NOT NULL REFERENCES tack, repaired_on date NOT NULL);
INSERT INTO repairs VALUES (1, 1, '2024-03-01'), (2, 4, '2024-03-02');
