-- A soap maker's web shop: codes that lower a price, carriers, times of one order, returns with a reason, reviews of soaps.
CREATE TABLE customers (id integer PRIMARY KEY, name text NOT NULL, town text NOT NULL, joined_on date NOT NULL);
CREATE TABLE carriers (id integer PRIMARY KEY, name text NOT NULL UNIQUE);
CREATE TABLE discount_codes (id integer PRIMARY KEY, code text NOT NULL UNIQUE, percent integer NOT NULL);
CREATE TABLE soaps (id integer PRIMARY KEY, name text NOT NULL UNIQUE, scent text NOT NULL, price numeric(8,2) NOT NULL, stock integer NOT NULL);
CREATE TABLE orders (
    id integer PRIMARY KEY, customer_id integer NOT NULL REFERENCES customers, discount_code_id integer REFERENCES discount_codes, carrier_id integer NOT NULL REFERENCES carriers,
    status text NOT NULL CHECK (status IN ('placed', 'shipped', 'cancelled')), ordered_at timestamp NOT NULL, shipped_at timestamp, delivered_at timestamp, total numeric(8,2) NOT NULL
);
CREATE TABLE reviews (id integer PRIMARY KEY, soap_id integer NOT NULL REFERENCES soaps, customer_id integer NOT NULL REFERENCES customers, rating integer NOT NULL, body text, written_on date NOT NULL);
CREATE TABLE return_reasons (id integer PRIMARY KEY, label text NOT NULL UNIQUE);
CREATE TABLE returns (id integer PRIMARY KEY, order_id integer NOT NULL REFERENCES orders, reason_id integer NOT NULL REFERENCES return_reasons, returned_on date NOT NULL);
INSERT INTO customers VALUES (1, 'Ada Birch', 'Bath', '2022-01-01'), (2, 'Bea Clay', 'York', '2023-01-01'), (3, 'Cal Dunn', 'Bath', '2024-01-01');
INSERT INTO carriers VALUES (1, 'Heron'), (2, 'Otter');
INSERT INTO discount_codes VALUES (1, 'SPRING', 10), (2, 'LOYAL', 5), (3, 'FRESH', 20);
INSERT INTO soaps VALUES (1, 'Meadow', 'lavender', 6, 12), (2, 'Tide', 'salt', 7, 0), (3, 'Grove', 'lavender', 8, 4);
INSERT INTO orders VALUES
    (1, 1, 1, 1, 'shipped', '2024-08-01 10:00', '2024-08-02 10:00', '2024-08-04 10:00', 30), (2, 1, NULL, 1, 'shipped', '2024-08-05 11:00', '2024-08-08 11:00', NULL, 20),
    (3, 2, 1, 2, 'cancelled', '2024-08-05 12:00', NULL, NULL, 90), (4, 2, 2, 1, 'placed', '2024-08-13 10:00', NULL, NULL, 15), (5, 3, NULL, 2, 'cancelled', '2024-05-06 10:00', NULL, NULL, 25);
INSERT INTO reviews VALUES (1, 1, 1, 5, 'soft', '2024-08-10'), (2, 1, 2, 3, NULL, '2024-08-11'), (3, 3, 2, 4, 'fine', '2024-08-20');
INSERT INTO return_reasons VALUES (1, 'broken'), (2, 'too strong'), (3, 'late');
INSERT INTO returns VALUES (1, 1, 2, '2024-08-09'), (2, 2, 2, '2024-08-12'), (3, 3, 1, '2024-08-15');
