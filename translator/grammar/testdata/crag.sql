CREATE TABLE members (member_id int PRIMARY KEY, full_name text NOT NULL UNIQUE, joined_on date NOT NULL);
CREATE TABLE routes (route_id int PRIMARY KEY, name text NOT NULL UNIQUE, color text NOT NULL, set_on date NOT NULL, removed_on date);
CREATE TABLE memberships (membership_id int PRIMARY KEY, member_id int NOT NULL REFERENCES members, plan text NOT NULL, starts_on date NOT NULL, ends_on date, status text NOT NULL CHECK (status IN ('active', 'cancelled')));
CREATE TABLE check_ins (check_in_id int PRIMARY KEY, member_id int NOT NULL REFERENCES members, checked_in_at timestamp NOT NULL);
INSERT INTO members VALUES (1, 'Ana Bell', '2025-01-02'), (2, 'Cy Dunn', '2025-02-03');
INSERT INTO routes VALUES (1, 'Adder', 'red', '2024-05-01', '2025-05-01'), (2, 'Bison', 'red', '2025-05-01', NULL), (3, 'Crane', 'blue', '2025-05-02', NULL);
INSERT INTO memberships VALUES (1, 1, 'full', '2025-01-02', '2025-06-30', 'cancelled'), (2, 2, 'day', '2025-02-03', NULL, 'active');
INSERT INTO check_ins VALUES (1, 1, '2025-03-01 10:05'), (2, 1, '2025-03-02 10:40'), (3, 2, '2025-03-02 18:00');
ANALYZE;
