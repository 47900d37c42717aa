CREATE TABLE branches (branch_id int PRIMARY KEY, name text NOT NULL UNIQUE);
CREATE TABLE makers (maker_id int PRIMARY KEY, name text NOT NULL UNIQUE, country text NOT NULL);
CREATE TABLE kinds (kind_id int PRIMARY KEY, name text NOT NULL UNIQUE);
CREATE TABLE tools (tool_id int PRIMARY KEY, name text NOT NULL UNIQUE, maker_id int NOT NULL REFERENCES makers, kind_id int NOT NULL REFERENCES kinds, weight numeric NOT NULL);
CREATE TABLE members (member_id int PRIMARY KEY, full_name text NOT NULL UNIQUE, member_type text NOT NULL, joined_on date NOT NULL);
CREATE TABLE loans (loan_id int PRIMARY KEY, member_id int NOT NULL REFERENCES members, tool_id int NOT NULL REFERENCES tools, borrowed_on date NOT NULL, returned_on date);
CREATE TABLE holds (hold_id int PRIMARY KEY, member_id int NOT NULL REFERENCES members, tool_id int NOT NULL REFERENCES tools, branch_id int NOT NULL REFERENCES branches, placed_on date NOT NULL);
CREATE TABLE classes (class_id int PRIMARY KEY, title text NOT NULL, branch_id int NOT NULL REFERENCES branches, starts_at timestamp NOT NULL);
INSERT INTO branches VALUES (1, 'Quay'), (2, 'Mill'), (3, 'Hill');
INSERT INTO makers VALUES (1, 'Arlo', 'Denmark'), (2, 'Brix', 'Norway'), (3, 'Cord', 'Denmark'), (4, 'Dunn', 'Spain');
INSERT INTO kinds VALUES (1, 'saws'), (2, 'drills'), (3, 'planes');
INSERT INTO tools VALUES (1, 'Pit Saw', 1, 1, 4), (2, 'Fret Saw', 1, 1, 1), (3, 'Hand Drill', 2, 2, 3), (4, 'Bench Drill', 3, 2, 21), (5, 'Jack Plane', 3, 3, 2), (6, 'Rip Saw', 3, 1, 2.5);
INSERT INTO members VALUES (1, 'Ada Pell', 'adult', '2024-02-01'), (2, 'Bo Quist', 'adult', '2024-05-01'), (3, 'Cy Rowe', 'junior', '2025-01-10'), (4, 'Di Soon', 'senior', '2025-02-11');
INSERT INTO loans VALUES (1, 1, 1, '2025-01-05', '2025-01-09'), (2, 2, 1, '2025-02-06', '2025-02-20'), (3, 3, 1, '2025-03-07', '2025-03-09'), (4, 1, 3, '2025-03-20', '2025-03-22'), (5, 2, 3, '2025-07-01', NULL),
  (6, 1, 4, '2026-01-10', '2026-01-12'), (7, 1, 5, '2026-02-10', '2026-02-13'), (8, 2, 1, '2026-03-01', NULL), (9, 3, 6, '2024-11-30', '2024-12-02');
INSERT INTO holds VALUES (1, 1, 3, 1, '2026-01-02'), (2, 2, 3, 1, '2026-01-03'), (3, 3, 3, 1, '2026-01-04'), (4, 1, 1, 2, '2026-01-05');
INSERT INTO classes VALUES (1, 'Sharpening', 1, '2026-02-01 10:00'), (2, 'Joints', 2, '2026-02-08 10:00');
ANALYZE;
