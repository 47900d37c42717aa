-- A school: what learners did in a class is a state of their enrolment, topics
-- have topics below them, tutors are paid by the hour and some have left.
CREATE TABLE topics (id integer PRIMARY KEY, name text NOT NULL UNIQUE, parent_id integer REFERENCES topics);
CREATE TABLE courses (id integer PRIMARY KEY, title text NOT NULL, topic_id integer NOT NULL REFERENCES topics, weeks integer NOT NULL, language text NOT NULL);
CREATE TABLE tutors (id integer PRIMARY KEY, name text NOT NULL, hourly_rate numeric NOT NULL, hired_on date NOT NULL, left_on date);
CREATE TABLE classes (
    id integer PRIMARY KEY, course_id integer NOT NULL REFERENCES courses, tutor_id integer NOT NULL REFERENCES tutors, starts_on date NOT NULL, capacity integer NOT NULL
);
CREATE TABLE learners (id integer PRIMARY KEY, name text NOT NULL);
CREATE TABLE enrolments (
    id integer PRIMARY KEY, learner_id integer NOT NULL REFERENCES learners, class_id integer NOT NULL REFERENCES classes, status text NOT NULL, enrolled_on date NOT NULL
);
CREATE TABLE bills (id integer PRIMARY KEY, learner_id integer NOT NULL REFERENCES learners, issued_on date NOT NULL, due_on date NOT NULL, amount numeric NOT NULL);
INSERT INTO topics VALUES (1, 'Sciences', NULL), (2, 'Physics', 1), (3, 'Optics', 2), (4, 'Arts', NULL);
INSERT INTO courses VALUES (1, 'Light', 3, 8, 'German'), (2, 'Motion', 2, 4, 'French'), (3, 'Colour', 4, 8, 'German');
INSERT INTO tutors VALUES (1, 'Abe Cole', 30, '2020-01-05', NULL), (2, 'Bea Dunn', 40, '2020-02-05', NULL), (3, 'Cal Eve', 50, '2020-01-09', '2023-01-01');
INSERT INTO classes VALUES (1, 1, 1, '2024-01-01', 10), (2, 2, 2, '2024-12-02', 8), (3, 3, 3, '2022-03-01', 8), (4, 1, 1, '2024-05-01', 12), (5, 2, 2, '2023-12-05', 9);
INSERT INTO learners VALUES (1, 'Flo Gray'), (2, 'Guy Holt'), (3, 'Hal Ives');
INSERT INTO enrolments VALUES (1, 1, 1, 'completed', '2024-01-01'), (2, 1, 2, 'dropped', '2024-01-01'), (3, 2, 1, 'completed', '2024-01-01'), (4, 3, 1, 'dropped', '2024-01-01'), (5, 2, 3, 'completed', '2022-03-01');
INSERT INTO bills VALUES (1, 1, '2024-03-01', '2024-05-01', 10), (2, 2, '2024-04-02', '2024-04-12', 20), (3, 3, '2023-11-05', '2023-12-05', 30);
