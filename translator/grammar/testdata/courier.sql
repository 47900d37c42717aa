-- A courier: parcels that have to be there by a day, complaints about them.
CREATE TABLE offices (id integer PRIMARY KEY, name text NOT NULL, town text NOT NULL);
CREATE TABLE couriers (id integer PRIMARY KEY, name text NOT NULL, phone text, office_id integer NOT NULL REFERENCES offices);
CREATE TABLE parcels (id integer PRIMARY KEY, courier_id integer NOT NULL REFERENCES couriers, kind text NOT NULL, status text NOT NULL, weight numeric NOT NULL, charge numeric NOT NULL, paid numeric NOT NULL,
    sent_on date NOT NULL, promised_on date NOT NULL, delivered_on date, cancelled_on date);
CREATE TABLE complaints (id integer PRIMARY KEY, parcel_id integer NOT NULL REFERENCES parcels, reason text NOT NULL, refund numeric NOT NULL, filed_on date NOT NULL);
INSERT INTO offices VALUES (1, 'Harbour', 'Hull'), (2, 'Market', 'York'), (3, 'Castle', 'Bath');
INSERT INTO couriers VALUES (1, 'Abe Cole', '111', 1), (2, 'Bea Dunn', NULL, 1), (3, 'Cal Eads', '333', 2);
INSERT INTO parcels VALUES
    (1, 1, 'letter', 'done', 1, 5, 5, '2024-01-01', '2024-01-05', '2024-01-04', NULL), (2, 1, 'crate', 'done', 9, 20, 15, '2024-02-05', '2024-02-08', '2024-02-10', NULL),
    (3, 2, 'crate', 'done', 8, 18, 18, '2023-02-05', '2023-02-08', '2023-02-08', NULL), (4, 3, 'letter', 'open', 1, 4, 0, '2024-08-01', '2024-08-05', NULL, NULL),
    (5, 3, 'bag', 'void', 3, 9, 0, '2024-03-01', '2024-03-05', NULL, '2024-03-02');
INSERT INTO complaints VALUES (1, 2, 'broken', 10, '2024-02-11'), (2, 2, 'dirty', 3, '2024-02-12'), (3, 3, 'broken', 7, '2023-02-09');
