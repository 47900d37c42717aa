-- A clinic: names in several styles, an enum, a self reference, a table that
-- only connects, two references to one table, a column that is hidden from one
-- role.
CREATE TYPE visit_state AS ENUM ('booked', 'done', 'cancelled');

CREATE TABLE departments (
    id    integer PRIMARY KEY,
    name  text NOT NULL UNIQUE,
    floor integer NOT NULL
);
CREATE TABLE doctors (
    id            integer PRIMARY KEY,
    first_name    text NOT NULL,
    last_name     text NOT NULL,
    department_id integer NOT NULL REFERENCES departments,
    mentor_id     integer REFERENCES doctors,
    salary        numeric NOT NULL,
    hired_on      date NOT NULL
);
CREATE TABLE "Patients" (
    "patientId"  integer PRIMARY KEY,
    "fullName"   text NOT NULL,
    city         text NOT NULL,
    age          integer NOT NULL,
    "bloodGroup" text NOT NULL,
    insured      boolean NOT NULL
);
CREATE TABLE visits (
    id         integer PRIMARY KEY,
    patient_id integer NOT NULL REFERENCES "Patients",
    doctor_id  integer NOT NULL REFERENCES doctors,
    visited_at timestamptz NOT NULL,
    state      visit_state NOT NULL,
    fee        numeric
);
CREATE TABLE drugs (
    code  text PRIMARY KEY,
    title text NOT NULL,
    price numeric NOT NULL
);
CREATE TABLE visit_drugs (
    visit_id  integer NOT NULL REFERENCES visits,
    drug_code text NOT NULL REFERENCES drugs,
    PRIMARY KEY (visit_id, drug_code)
);
CREATE TABLE transfers (
    id         integer PRIMARY KEY,
    patient_id integer NOT NULL REFERENCES "Patients",
    from_dept  integer NOT NULL REFERENCES departments,
    to_dept    integer NOT NULL REFERENCES departments
);
CREATE TABLE invoices (id integer PRIMARY KEY, visit_id integer REFERENCES visits, amount numeric);

INSERT INTO departments VALUES (1, 'Cardiology', 2), (2, 'Surgery', 1), (3, 'Radiology', 0);
INSERT INTO doctors VALUES
    (1, 'Ana', 'Ruiz', 1, NULL, 9000, '2010-05-01'), (2, 'Bo', 'Lindt', 1, 1, 7000, '2018-02-01'),
    (3, 'Cleo', 'Marsh', 2, 1, 8000, '2015-09-15'), (4, 'Dev', 'Rao', 2, 3, 6500, '2021-11-30');
INSERT INTO "Patients" VALUES
    (1, 'Olga Petrov', 'Oslo', 34, 'A+', true), (2, 'Paul Quist', 'Bergen', 71, '0-', true),
    (3, 'Rita Sand', 'Oslo', 18, 'A+', false), (4, 'Sven Toft', 'Tromsø', 52, 'B+', true), (5, 'Una Vik', 'Bergen', 45, 'A+', false);
INSERT INTO visits VALUES
    (1, 1, 1, '2023-01-10 10:00+00', 'done', 120), (2, 1, 2, '2023-02-11 10:00+00', 'done', 80),
    (3, 2, 1, '2023-02-20 10:00+00', 'cancelled', NULL), (4, 3, 3, '2023-06-01 10:00+00', 'done', 300),
    (5, 2, 3, '2024-01-05 10:00+00', 'booked', NULL), (6, 1, 1, '2024-03-01 10:00+00', 'done', 150), (7, 4, 4, '2024-03-31 23:30+00', 'done', 90);
INSERT INTO drugs VALUES ('ASP', 'Aspirin', 4.5), ('IBU', 'Ibuprofen', 6), ('MOR', 'Morphine', 40);
INSERT INTO visit_drugs VALUES (1, 'ASP'), (1, 'IBU'), (2, 'ASP'), (4, 'MOR'), (6, 'IBU');
INSERT INTO transfers VALUES (1, 1, 1, 2), (2, 2, 2, 3), (3, 3, 1, 3);
INSERT INTO invoices VALUES (1, 1, 120);

-- Enough of the same for statistics.
INSERT INTO "Patients" SELECT n, 'Patient No ' || n, (ARRAY['Oslo', 'Bergen', 'Tromsø'])[1 + n % 3], 20 + n % 60, (ARRAY['A+', '0-', 'B+'])[1 + n % 3], n % 2 = 0 FROM generate_series(6, 60) n;

-- Words that an administrator gives.
COMMENT ON TABLE drugs IS 'askpg:synonyms medicaments, remedies';
COMMENT ON COLUMN doctors.salary IS 'askpg:synonyms pay packet, earnings';
