-- A group of inns: rooms are called by a number that is theirs within a house, extras are but a part of what is billed, and channels
-- of bookings keep a share.
CREATE TABLE houses (house_id int PRIMARY KEY, name text NOT NULL UNIQUE, town text NOT NULL);
CREATE TABLE rooms (room_id int PRIMARY KEY, house_id int NOT NULL REFERENCES houses, room_number text NOT NULL, floor int NOT NULL, view text, UNIQUE (house_id, room_number));
CREATE TABLE guests (guest_id int PRIMARY KEY, first_name text NOT NULL, last_name text NOT NULL, birth_date date);
CREATE TABLE booking_channels (channel_id int PRIMARY KEY, name text NOT NULL, commission_pct numeric(4,1) NOT NULL);
CREATE TABLE bookings (booking_id int PRIMARY KEY, guest_id int NOT NULL REFERENCES guests, room_id int NOT NULL REFERENCES rooms, channel_id int NOT NULL REFERENCES booking_channels, booked_at timestamp NOT NULL, arrival_date date NOT NULL, departure_date date NOT NULL);
CREATE TABLE stays (stay_id int PRIMARY KEY, booking_id int NOT NULL UNIQUE REFERENCES bookings, checked_in_at timestamp NOT NULL, checked_out_at timestamp);
CREATE TABLE extras (extra_id int PRIMARY KEY, name text NOT NULL, price numeric(8,2) NOT NULL);
CREATE TABLE extra_orders (extra_order_id int PRIMARY KEY, stay_id int NOT NULL REFERENCES stays, extra_id int NOT NULL REFERENCES extras, quantity int NOT NULL, unit_price numeric(8,2) NOT NULL, ordered_at timestamp NOT NULL);
CREATE TABLE invoices (invoice_id int PRIMARY KEY, invoice_number text NOT NULL UNIQUE, stay_id int NOT NULL UNIQUE REFERENCES stays, issued_on date NOT NULL, total_amount numeric(10,2) NOT NULL);
CREATE TABLE staff (staff_id int PRIMARY KEY, first_name text NOT NULL, last_name text NOT NULL, house_id int NOT NULL REFERENCES houses, job_title text NOT NULL, hired_on date NOT NULL, left_on date, salary numeric(8,2) NOT NULL);
INSERT INTO houses VALUES (1, 'Old Mill', 'Kilda'), (2, 'Quay House', 'Borve');
INSERT INTO rooms VALUES (1, 1, '11', 1, 'river'), (2, 1, '12', 1, 'yard'), (3, 2, '11', 1, 'sea'), (4, 2, 'Gull', 2, 'sea');
INSERT INTO guests VALUES (1, 'Ewan', 'Pryde', '1970-05-04'), (2, 'Fay', 'Quill', '1988-11-30'), (3, 'Gus', 'Rowe', NULL);
INSERT INTO booking_channels VALUES (1, 'Web', 0), (2, 'Agency', 15);
INSERT INTO bookings VALUES (1, 1, 1, 1, '2024-01-02', '2024-02-01', '2024-02-04'), (2, 2, 3, 2, '2024-01-09', '2024-02-01', '2024-02-02'), (3, 1, 4, 1, '2024-03-01', '2024-04-01', '2024-04-03'), (4, 3, 2, 2, '2024-04-01', '2024-05-01', '2024-05-02'),
    (5, 2, 1, 1, '2024-06-05', current_date + 5, current_date + 8), (6, 2, 2, 1, '2024-06-06', current_date - 1, current_date + 2), (7, 3, 3, 1, '2024-06-07', current_date + 90, current_date + 92);
INSERT INTO stays VALUES (1, 1, '2024-02-01 15:00', '2024-02-04 10:00'), (2, 2, '2024-02-01 16:00', '2024-02-02 09:00'), (3, 6, current_date - 1, NULL);
INSERT INTO extras VALUES (1, 'Breakfast', 12), (2, 'Bike', 20);
INSERT INTO extra_orders VALUES (1, 1, 1, 3, 12, '2024-02-02'), (2, 1, 2, 1, 20, '2024-02-03'), (3, 2, 1, 1, 12, '2024-02-02');
INSERT INTO invoices VALUES (1, 'N-1', 1, '2024-02-04', 356), (2, 'N-2', 2, '2024-02-02', 112);
INSERT INTO staff VALUES (1, 'Hal', 'Stone', 1, 'Manager', '2015-01-01', NULL, 4000), (2, 'Ivy', 'Thorn', 1, 'Cook', '2018-01-01', NULL, 2400), (3, 'Jed', 'Upton', 2, 'Cook', '2012-01-01', '2020-01-01', 2500), (4, 'Kit', 'Vane', 2, 'Porter', '2021-01-01', NULL, 2000);
