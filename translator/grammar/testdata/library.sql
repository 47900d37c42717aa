-- A library: a year that is a number, two dates of one loan, a guessed key
-- (shelf), names that hold other names (member_since).
CREATE TABLE authors (
    id      integer PRIMARY KEY,
    name    text NOT NULL,
    country text NOT NULL,
    born_on date NOT NULL
);
CREATE TABLE books (
    id             integer PRIMARY KEY,
    title          text NOT NULL,
    author_id      integer NOT NULL REFERENCES authors,
    genre          text NOT NULL,
    published_year integer NOT NULL,
    pages          integer NOT NULL,
    price          numeric(8,2) NOT NULL,
    bought_on      date NOT NULL
);
CREATE TABLE readers (
    id           integer PRIMARY KEY,
    name         text NOT NULL,
    town         text NOT NULL,
    member_since date NOT NULL,
    blocked      boolean NOT NULL
);
CREATE TABLE loans (
    id          integer PRIMARY KEY,
    book_id     integer NOT NULL REFERENCES books,
    reader_id   integer NOT NULL REFERENCES readers,
    lent_on     date NOT NULL,
    returned_on date,
    fine        numeric(8,2) NOT NULL
);
CREATE TABLE reservations (
    id          integer PRIMARY KEY,
    book_id     integer NOT NULL REFERENCES books,
    reader_id   integer NOT NULL REFERENCES readers,
    reserved_at timestamptz NOT NULL
);
INSERT INTO authors VALUES (1, 'Ada Holm', 'Norway', '1950-03-01'), (2, 'Ben Ito', 'Japan', '1971-07-09');
INSERT INTO books VALUES
    (1, 'Low Tide', 1, 'novel', 1999, 310, 20, '2020-01-05'), (2, 'High Moor', 1, 'novel', 2004, 250, 15, '2024-02-01'),
    (3, 'Paper Cranes', 2, 'poetry', 2010, 90, 12, '2024-03-01'), (4, 'Night Ferry', 2, 'crime', 2015, 400, 18, '2021-06-01');
INSERT INTO readers VALUES
    (1, 'Gil Orr', 'York', '2019-01-10', false), (2, 'Hana Pok', 'Leeds', '2024-05-01', false),
    (3, 'Ines Quay', 'York', '2024-08-01', true), (4, 'Jon Reed', 'Leeds', '2018-02-02', false);
INSERT INTO loans VALUES
    (1, 1, 1, '2024-01-03', '2024-02-01', 0), (2, 2, 1, '2024-03-05', NULL, 2.5), (3, 1, 2, '2023-06-01', '2023-07-01', 1),
    (4, 3, 4, '2024-04-01', '2024-04-20', 0), (5, 1, 4, '2023-02-01', '2024-02-20', 4), (6, 4, 1, '2023-09-09', '2023-10-01', 0);
INSERT INTO reservations VALUES (1, 4, 1, '2024-02-02 10:00+00'), (2, 1, 3, '2023-12-30 12:00+00'), (3, 2, 3, '2024-01-15 09:00+00');
