-- A hospital: numbers that are amounts of things (beds), what people lack, times
-- that are null until something happens, a table whose name is short for a word.
CREATE TABLE departments (id integer PRIMARY KEY, name text NOT NULL UNIQUE);
CREATE TABLE wards (
    id            integer PRIMARY KEY,
    name          text NOT NULL UNIQUE,
    department_id integer NOT NULL REFERENCES departments,
    beds          integer NOT NULL
);
CREATE TABLE doctors (
    id            integer PRIMARY KEY,
    name          text NOT NULL,
    department_id integer NOT NULL REFERENCES departments,
    salary        numeric NOT NULL
);
CREATE TABLE patients (
    id            integer PRIMARY KEY,
    name          text NOT NULL,
    city          text NOT NULL,
    insurer       text NOT NULL,
    phone         text,
    email         text,
    dob           date NOT NULL,
    registered_at timestamptz NOT NULL
);
CREATE TABLE admissions (
    id            integer PRIMARY KEY,
    patient_id    integer NOT NULL REFERENCES patients,
    ward_id       integer NOT NULL REFERENCES wards,
    admitted_on   date NOT NULL,
    discharged_on date
);
CREATE TABLE appts (
    id         integer PRIMARY KEY,
    patient_id integer NOT NULL REFERENCES patients,
    doctor_id  integer NOT NULL REFERENCES doctors,
    starts_at  timestamptz NOT NULL,
    channel    text NOT NULL
);
CREATE TABLE invoices (
    id         integer PRIMARY KEY,
    patient_id integer NOT NULL REFERENCES patients,
    total      numeric NOT NULL,
    issued_on  date NOT NULL,
    paid_on    date
);
INSERT INTO departments VALUES (1, 'Neurology'), (2, 'Oncology');
INSERT INTO wards VALUES (1, 'North One', 1, 20), (2, 'North Two', 1, 12), (3, 'Lake Side', 2, 30);
INSERT INTO doctors VALUES (1, 'Ida Bek', 1, 9000), (2, 'Jan Cole', 1, 7000), (3, 'Kim Dorn', 2, 8000), (4, 'Leo Ekker', 2, 8500);
INSERT INTO patients VALUES
    (1, 'Mia Frey', 'Zurich', 'Helsana', '079 1', 'mia@x.test', '1950-01-01', '2023-05-01 10:00+00'),
    (2, 'Noa Graf', 'Zurich', 'Zurich', NULL, 'noa@x.test', '2001-01-01', '2022-05-01 10:00+00'),
    (3, 'Ole Hug', 'Basel', 'Zurich', '079 3', NULL, '1980-01-01', '2024-05-01 10:00+00'),
    (4, 'Pia Iten', 'Basel', 'Helsana', NULL, NULL, '1999-01-01', '2021-05-01 10:00+00');
INSERT INTO admissions VALUES (1, 1, 1, '2024-01-01', '2024-01-09'), (2, 2, 3, '2024-08-01', NULL), (3, 1, 2, '2024-08-20', NULL);
INSERT INTO appts VALUES
    (1, 1, 1, '2024-02-01 10:00+00', 'phone'), (2, 2, 1, '2024-02-02 10:00+00', 'desk'), (3, 3, 3, '2024-03-01 10:00+00', 'phone'),
    (4, 1, 4, '2023-03-01 10:00+00', 'desk');
INSERT INTO invoices VALUES (1, 1, 100, '2024-02-01', '2024-02-20'), (2, 2, 250, '2024-03-01', NULL), (3, 3, 80, '2023-02-01', '2023-03-03');
