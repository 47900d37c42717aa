-- A yard that lends tools and drives them out.
CREATE TABLE clients (id integer PRIMARY KEY, full_name text NOT NULL, town text NOT NULL);
CREATE TABLE vans (id integer PRIMARY KEY, name text NOT NULL, driver_id integer NOT NULL REFERENCES clients, distance_km integer NOT NULL, weight_kg integer);
CREATE TABLE loans (id integer PRIMARY KEY, client_id integer NOT NULL REFERENCES clients, amount numeric(8,2) NOT NULL, repaid_on date, repaid smallint NOT NULL);
CREATE TABLE hammers (id integer PRIMARY KEY, name text NOT NULL);
CREATE TABLE sheds (id integer PRIMARY KEY, name text NOT NULL);
CREATE TABLE stock (shed_id integer NOT NULL REFERENCES sheds, hammer_id integer NOT NULL REFERENCES hammers, quantity integer NOT NULL, PRIMARY KEY (shed_id, hammer_id));
INSERT INTO clients VALUES (1,'Ann Hill','Bath'),(2,'Bob Stone','Leeds');
INSERT INTO vans VALUES (1,'Blue',1,100,900),(2,'Red',2,50,1000);
INSERT INTO loans VALUES (1,1,100,NULL,0),(2,2,50,'2024-01-01',1),(3,1,70,'2024-02-01',1),(4,2,20,NULL,0);
INSERT INTO hammers VALUES (1,'Claw'),(2,'Sledge');
INSERT INTO sheds VALUES (1,'East'),(2,'West');
INSERT INTO stock VALUES (1,1,3),(2,1,0),(1,2,4);
CREATE TABLE squads (id integer PRIMARY KEY, name text NOT NULL, head_coach_id integer NOT NULL REFERENCES clients);
INSERT INTO squads VALUES (1,'Eights',1),(2,'Fours',2);
