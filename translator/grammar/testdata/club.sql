-- A club: animals of a kind, vehicles of a class that the table's other word names, bookings by a channel, a name with an apostrophe.
CREATE TABLE owners (id int PRIMARY KEY, name text NOT NULL, email text, city text NOT NULL, joined_on date NOT NULL);
CREATE TABLE animals (id int PRIMARY KEY, name text NOT NULL, species text NOT NULL, owner_id int REFERENCES owners, neutered boolean NOT NULL, born_on date);
CREATE TABLE vehicles (id int PRIMARY KEY, plate text NOT NULL UNIQUE, class text NOT NULL, owner_id int NOT NULL REFERENCES owners, bought_on date NOT NULL);
COMMENT ON TABLE vehicles IS 'Vehicles of the club (cars)';
CREATE TABLE loans (id int PRIMARY KEY, vehicle_id int NOT NULL REFERENCES vehicles, owner_id int NOT NULL REFERENCES owners, lent_on date NOT NULL, returned_on date, damaged boolean NOT NULL);
CREATE TABLE bookings (id int PRIMARY KEY, owner_id int NOT NULL REFERENCES owners, booked_on date NOT NULL, channel text NOT NULL, status text NOT NULL, discount_code text, total numeric(8,2) NOT NULL);
CREATE TABLE services (id int PRIMARY KEY, name text NOT NULL, price numeric(8,2) NOT NULL, place text NOT NULL);
CREATE TABLE booking_lines (booking_id int NOT NULL REFERENCES bookings, service_id int NOT NULL REFERENCES services, quantity int NOT NULL, PRIMARY KEY (booking_id, service_id));
CREATE TABLE reviews (id int PRIMARY KEY, service_id int NOT NULL REFERENCES services, owner_id int NOT NULL REFERENCES owners, rating int NOT NULL, written_on date NOT NULL);
INSERT INTO owners VALUES (1,'Ann O''Neil','a@x','Hull','2023-01-01'),(2,'Bo Cain',NULL,'York','2023-05-01'),(3,'Cy Dorn','c@x','Hull','2024-01-01');
INSERT INTO animals VALUES (1,'Rex','dog',1,true,'2020-01-01'),(2,'Mia','dog',2,false,'2021-01-01'),(3,'Tom','cat',3,true,'2022-01-01'),(4,'Kit','cat',3,false,NULL);
INSERT INTO vehicles VALUES (1,'A-1','Car',1,'2020-01-01'),(2,'A-2','Van',2,'2021-01-01'),(3,'A-3','Car',3,'2022-01-01');
INSERT INTO loans VALUES (1,1,1,'2024-01-01','2024-02-01',false),(2,2,2,'2024-03-01',NULL,true),(3,3,1,'2024-04-01',NULL,true);
INSERT INTO bookings VALUES (1,1,'2024-01-01','online','paid','XMAS',100),(2,2,'2024-02-01','phone','cancelled',NULL,50),(3,1,'2024-03-01','desk','paid',NULL,70);
INSERT INTO services VALUES (1,'Wash',20,'yard'),(2,'Groom',30,'hall');
INSERT INTO booking_lines VALUES (1,1,2),(1,2,1),(2,2,1),(3,1,1);
INSERT INTO reviews VALUES (1,1,1,5,'2024-02-01'),(2,2,2,3,'2024-03-01');
