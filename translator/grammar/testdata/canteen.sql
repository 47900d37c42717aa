-- A canteen: orders that may be cancelled, dishes at their price of the day, vouchers, and claims that may be taken back.
CREATE TABLE vouchers (code text PRIMARY KEY, title text NOT NULL UNIQUE, ends_on date);
CREATE TABLE guests (guest_id integer PRIMARY KEY, name text NOT NULL UNIQUE);
CREATE TABLE orders (
    order_id     integer PRIMARY KEY,
    guest_id     integer NOT NULL REFERENCES guests,
    ordered_at   timestamp NOT NULL,
    status       text NOT NULL CHECK (status IN ('open', 'served', 'cancelled')),
    voucher_code text REFERENCES vouchers,
    cancelled_at timestamp
);
CREATE TABLE dishes (dish_id integer PRIMARY KEY, name text NOT NULL UNIQUE, price numeric(6,2) NOT NULL, weight_g integer NOT NULL);
CREATE TABLE order_lines (
    order_line_id integer PRIMARY KEY,
    order_id      integer NOT NULL REFERENCES orders,
    dish_id       integer NOT NULL REFERENCES dishes,
    quantity      integer NOT NULL,
    unit_price    numeric(6,2) NOT NULL
);
CREATE TABLE claims (claim_no text PRIMARY KEY, insurer text NOT NULL, filed_on date NOT NULL, amount numeric(8,2) NOT NULL, voided boolean NOT NULL);
INSERT INTO vouchers VALUES ('W', 'Welcome', NULL), ('S', 'Spring', '2024-06-01');
INSERT INTO guests VALUES (1, 'Ira'), (2, 'Oto');
INSERT INTO dishes VALUES (1, 'Stew', 7.50, 400), (2, 'Apple pie', 4.20, 150), (3, 'Broth', 5.10, 300);
INSERT INTO orders VALUES
    (1, 1, '2024-03-01 12:00', 'served', 'W', NULL), (2, 2, '2024-03-02 12:00', 'served', NULL, NULL),
    (3, 2, '2024-04-02 12:00', 'cancelled', NULL, '2024-04-02 13:00'), (4, 1, '2024-04-03 12:00', 'open', NULL, NULL);
INSERT INTO order_lines VALUES (1, 1, 1, 2, 7), (2, 1, 2, 1, 4), (3, 2, 2, 3, 4), (4, 3, 1, 9, 7), (5, 4, 3, 1, 5);
INSERT INTO claims VALUES ('B1', 'Mill', '2024-01-05', 100, false), ('B2', 'Farm', '2024-02-05', 50, true), ('B3', 'Farm', '2024-02-06', 60, false);
INSERT INTO dishes SELECT i, 'Dish ' || i, 8 + i / 10.0, 100 + i FROM generate_series(4, 40) i;
CREATE TABLE staff (staff_id integer PRIMARY KEY, name text NOT NULL, boss_id integer REFERENCES staff, hired_on date NOT NULL);
INSERT INTO staff VALUES (1, 'Una', NULL, '2020-01-01'), (2, 'Pia', 1, '2021-01-01');
CREATE TABLE payments (payment_id integer PRIMARY KEY, order_id integer NOT NULL REFERENCES orders, paid_at timestamp NOT NULL, status text NOT NULL CHECK (status IN ('failed', 'succeeded')));
INSERT INTO payments VALUES (1, 1, '2024-03-01 12:30', 'succeeded'), (2, 2, '2024-03-02 12:30', 'failed');
CREATE TABLE deliveries (delivery_id integer PRIMARY KEY, order_id integer NOT NULL REFERENCES orders, arrived_at timestamp NOT NULL);
INSERT INTO deliveries VALUES (1, 1, '2024-03-01 13:00');
