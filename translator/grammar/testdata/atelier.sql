-- An atelier: what a line comes to is not known, since nothing says of what the rebate is.
CREATE TABLE frames (id integer PRIMARY KEY, name text NOT NULL UNIQUE);
CREATE TABLE orders (id integer PRIMARY KEY, ordered_on date NOT NULL);
CREATE TABLE order_lines (id integer PRIMARY KEY, order_id integer NOT NULL REFERENCES orders, frame_id integer NOT NULL REFERENCES frames, quantity integer NOT NULL, unit_price numeric NOT NULL, discount numeric NOT NULL);
INSERT INTO frames VALUES (1, 'Oval');
INSERT INTO orders VALUES (1, '2024-03-01');
INSERT INTO order_lines VALUES (1, 1, 1, 2, 12, 1);
