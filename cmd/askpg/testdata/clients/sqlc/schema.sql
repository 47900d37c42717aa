-- What sqlc is told of askpg: without ask it writes SELECT without columns in the place of *.
CREATE FUNCTION ask(question text, options text DEFAULT '') RETURNS SETOF record LANGUAGE sql AS '';
CREATE TABLE customers (id int PRIMARY KEY, name text NOT NULL, country text NOT NULL);
