-- A bakehouse: orders go out by tours that drivers drive, and bills say what they come to.
CREATE TABLE staff (staff_id int PRIMARY KEY, name text NOT NULL UNIQUE, post text NOT NULL);
CREATE TABLE guests (guest_id int PRIMARY KEY, name text NOT NULL UNIQUE, kind text NOT NULL);
CREATE TABLE delivery_tours (tour_id int PRIMARY KEY, driver_id int NOT NULL REFERENCES staff, toured_on date NOT NULL);
CREATE TABLE orders (order_id int PRIMARY KEY, guest_id int NOT NULL REFERENCES guests, taken_by int NOT NULL REFERENCES staff, tour_id int REFERENCES delivery_tours, ordered_at timestamp NOT NULL, status text NOT NULL CHECK (status IN ('new', 'delivered')));
CREATE TABLE loaves (loaf_id int PRIMARY KEY, name text NOT NULL UNIQUE, price numeric(8,2) NOT NULL);
CREATE TABLE order_items (order_id int NOT NULL REFERENCES orders, line_no int NOT NULL, loaf_id int NOT NULL REFERENCES loaves, quantity int NOT NULL, unit_price numeric(8,2) NOT NULL, PRIMARY KEY (order_id, line_no));
CREATE TABLE bills (bill_id int PRIMARY KEY, order_id int NOT NULL REFERENCES orders, issued_on date NOT NULL, due_on date NOT NULL, paid_on date);
CREATE TABLE flours (flour_id int PRIMARY KEY, name text NOT NULL UNIQUE, unit text NOT NULL, stock_qty numeric(8,2) NOT NULL);
INSERT INTO staff VALUES (1, 'Abe Crust', 'driver'), (2, 'Bel Dough', 'baker'), (3, 'Cid Crumb', 'baker');
INSERT INTO guests VALUES (1, 'The Fleece', 'cafe'), (2, 'Bean There', 'cafe'), (3, 'Grand', 'hotel');
INSERT INTO delivery_tours VALUES (1, 1, '2024-03-02');
INSERT INTO orders VALUES (1, 1, 2, 1, '2024-03-01 09:00', 'delivered'), (2, 2, 2, NULL, '2024-03-05 09:00', 'new'), (3, 3, 3, NULL, '2024-04-05 09:00', 'new'), (4, 3, 3, 1, '2024-03-02 09:00', 'delivered');
INSERT INTO loaves VALUES (1, 'Rye', 4), (2, 'Spelt', 5), (3, 'Bun', 1);
INSERT INTO order_items VALUES (1, 1, 1, 10, 4), (1, 2, 3, 20, 1), (2, 1, 2, 2, 5), (3, 1, 1, 5, 4);
INSERT INTO bills VALUES (1, 1, '2024-03-02', '2024-03-30', '2024-03-20'), (2, 2, '2024-03-06', '2024-04-03', NULL), (3, 3, '2024-04-06', '2024-05-04', NULL);
INSERT INTO flours VALUES (1, 'Rye', 'kg', 50), (2, 'Malt', 'l', 7), (3, 'Wheat', 'kg', 30);
ANALYZE;
