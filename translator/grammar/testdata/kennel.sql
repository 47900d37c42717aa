-- A kennel: stays that are paid, cancelled and to come, people of both sexes by
-- a letter, codes that a comment explains.
CREATE TABLE owners (id integer PRIMARY KEY, first_name text NOT NULL, last_name text NOT NULL, birth_date date NOT NULL, sex char(1) NOT NULL, size char(1) NOT NULL);
CREATE TABLE dogs (id integer PRIMARY KEY, name text NOT NULL, coat char(1) NOT NULL, owner_id integer NOT NULL REFERENCES owners, chip text, walker integer REFERENCES owners);
COMMENT ON COLUMN dogs.coat IS 'kind of coat: R rough, S smooth, W wire';
COMMENT ON COLUMN dogs.chip IS 'number of the chip; empty = not chipped';
CREATE TABLE stays (
    id integer PRIMARY KEY, dog_id integer NOT NULL REFERENCES dogs, booked_at timestamp NOT NULL, starts_on date NOT NULL, ends_on date NOT NULL,
    due_on date NOT NULL, paid_on date, cancelled_at timestamp, price numeric NOT NULL
);
CREATE TABLE medications (id integer PRIMARY KEY, title text NOT NULL, dog_id integer NOT NULL REFERENCES dogs, given_on date NOT NULL);
INSERT INTO owners VALUES (1, 'Amy', 'Byrd', '2000-03-01', 'F', 'M'), (2, 'Cal', 'Dent', '1950-01-01', 'M', 'F'), (3, 'Eva', 'Fox', '1980-05-05', 'F', 'M');
INSERT INTO dogs VALUES (1, 'Rex', 'R', 1, '77', 2), (2, 'Fido', 'S', 2, NULL, NULL), (3, 'Bella', 'R', 3, '78', NULL);
INSERT INTO stays VALUES
    (1, 1, '2020-01-01', '2020-02-01', '2020-02-05', '2020-02-20', '2020-02-10', NULL, 50), (2, 1, '2020-01-01', '2020-03-01', '2020-03-05', '2020-03-20', NULL, NULL, 60),
    (3, 2, '2020-01-01', '2020-03-01', '2020-03-05', '2020-03-20', NULL, '2020-02-20', 70), (4, 3, '2024-01-01', '2099-01-01', '2099-01-05', '2099-01-20', NULL, NULL, 80),
    (5, 3, '2024-01-01', '2099-02-01', '2099-02-05', '2099-02-20', '2024-02-01', NULL, 90), (6, 3, '2020-01-01', '2020-05-01', '2020-05-05', '2020-05-20', '2020-06-10', NULL, 40);
INSERT INTO medications VALUES (1, 'Wormer', 1, '2020-02-02'), (2, 'Drops', 1, '2020-02-03'), (3, 'Wormer', 2, '2020-03-02');
