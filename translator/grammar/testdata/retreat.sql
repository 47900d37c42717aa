-- A house for courses: bookings are called by a reference and say for how many they are, guests pay them in several ways and mark them.
CREATE TABLE courses (id int PRIMARY KEY, title text NOT NULL UNIQUE, kind text NOT NULL, length_days int NOT NULL, price numeric(8,2) NOT NULL, active boolean NOT NULL);
CREATE TABLE guests (id int PRIMARY KEY, full_name text NOT NULL, town text NOT NULL, newsletter boolean NOT NULL, joined_on date NOT NULL);
CREATE TABLE bookings (id int PRIMARY KEY, reference text NOT NULL UNIQUE, guest_id int NOT NULL REFERENCES guests, course_id int NOT NULL REFERENCES courses,
	channel text NOT NULL CHECK (channel IN ('web', 'phone', 'desk')), participants int NOT NULL, total_price numeric(10,2) NOT NULL,
	status text NOT NULL CHECK (status IN ('held', 'firm', 'cancelled')), booked_on date NOT NULL);
CREATE TABLE payments (id int PRIMARY KEY, booking_id int NOT NULL REFERENCES bookings, method text NOT NULL CHECK (method IN ('card', 'cash', 'voucher')),
	amount numeric(10,2) NOT NULL, paid_on date NOT NULL);
CREATE TABLE reviews (id int PRIMARY KEY, booking_id int NOT NULL UNIQUE REFERENCES bookings, rating int NOT NULL CHECK (rating BETWEEN 1 AND 5), written_on date NOT NULL);
CREATE TABLE jobs (id int PRIMARY KEY, title text NOT NULL UNIQUE, state text NOT NULL CHECK (state IN ('new', 'begun', 'done', 'dropped')), due_on date NOT NULL, finished_on date);
INSERT INTO courses VALUES (1, 'Clay', 'craft', 3, 200, true), (2, 'Reeds', 'craft', 5, 300, true), (3, 'Silence', 'rest', 9, 500, true), (4, 'Slow Walk', 'rest', 9, 450, false);
INSERT INTO guests VALUES (1, 'Ann Bell', 'Hull', true, current_date - 900), (2, 'Bo Cain', 'Hull', false, current_date - 800), (3, 'Cy Dorn', 'York', true, current_date - 700),
	(4, 'Dee Eck', 'York', true, current_date - 600);
INSERT INTO bookings SELECT n, 'B-' || 100 + n, g, c, ch, p, t, st, day FROM (VALUES
	(1, 1, 1, 'web', 2, 400, 'firm', date_trunc('year', current_date)::date), (2, 1, 2, 'phone', 1, 300, 'firm', date_trunc('year', current_date)::date),
	(3, 2, 3, 'web', 4, 2000, 'cancelled', date_trunc('year', current_date)::date), (4, 3, 3, 'web', 1, 500, 'firm', date_trunc('year', current_date)::date),
	(5, 3, 1, 'desk', 3, 600, 'firm', (date_trunc('year', current_date) - interval '3 months')::date), (6, 4, 2, 'web', 2, 600, 'cancelled', (date_trunc('year', current_date) - interval '4 months')::date),
	(7, 4, 4, 'phone', 2, 900, 'firm', (date_trunc('month', current_date) - interval '1 month')::date), (8, 2, 4, 'web', 1, 450, 'held', current_date),
	(9, 2, 2, 'web', 5, 1500, 'firm', (date_trunc('year', current_date) - interval '30 months')::date)) v (n, g, c, ch, p, t, st, day);
INSERT INTO payments SELECT n, b, m, a, day FROM (VALUES (1, 1, 'card', 100, current_date - 5), (2, 1, 'cash', 300, current_date), (3, 4, 'card', 500, (date_trunc('month', current_date) - interval '1 month')::date),
	(4, 7, 'voucher', 900, (date_trunc('month', current_date) - interval '1 month')::date)) v (n, b, m, a, day);
INSERT INTO reviews VALUES (1, 1, 5, current_date), (2, 4, 3, current_date), (3, 7, 1, current_date - 1), (4, 9, 5, current_date - 850);
INSERT INTO jobs VALUES (1, 'Roof', 'begun', current_date - 9, NULL), (2, 'Stove', 'new', current_date + 9, NULL), (3, 'Gate', 'done', current_date - 9, current_date - 10), (4, 'Pond', 'dropped', current_date - 9, NULL);
CREATE TABLE cars (id int PRIMARY KEY, plate text NOT NULL UNIQUE, check_due date NOT NULL, retired_on date);
INSERT INTO cars VALUES (1, 'AB 1', current_date + 9, NULL), (2, 'AB 2', current_date + 9, current_date - 9);
