-- A glee club: singers with ailments that are told by their agent.
CREATE TABLE singers (id int PRIMARY KEY, first_name text NOT NULL, last_name text NOT NULL, left_on date);
CREATE TABLE ailments (id int PRIMARY KEY, singer_id int NOT NULL REFERENCES singers, agent text NOT NULL, severity text NOT NULL);
INSERT INTO singers VALUES (1, 'Ann', 'Poe', NULL), (2, 'Bob', 'Ray', '2022-01-01'), (3, 'Cy', 'Dow', NULL);
INSERT INTO ailments VALUES (1, 1, 'pollen', 'mild'), (2, 1, 'dust', 'mild'), (3, 3, 'nuts', 'bad');
