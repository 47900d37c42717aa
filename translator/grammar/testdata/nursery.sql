-- A plant nursery: what orders come to stands in no column but in pieces and prices, and plants are bought from growers, too.
CREATE TABLE plants (id integer PRIMARY KEY, name text NOT NULL UNIQUE, kind text NOT NULL, price numeric(8,2) NOT NULL, stock integer NOT NULL);
CREATE TABLE gardeners (id integer PRIMARY KEY, name text NOT NULL, town text NOT NULL, birth_date date NOT NULL);
CREATE TABLE orders (id integer PRIMARY KEY, gardener_id integer NOT NULL REFERENCES gardeners, ordered_on date NOT NULL, status text NOT NULL);
CREATE TABLE order_lines (
    order_id integer NOT NULL REFERENCES orders, plant_id integer NOT NULL REFERENCES plants, quantity integer NOT NULL, unit_price numeric(8,2) NOT NULL, PRIMARY KEY (order_id, plant_id)
);
CREATE TABLE purchases (id integer PRIMARY KEY, plant_id integer NOT NULL REFERENCES plants, quantity integer NOT NULL, price numeric(8,2) NOT NULL, bought_on date NOT NULL);
INSERT INTO plants VALUES (1, 'Rose', 'shrub', 12, 5), (2, 'Birch', 'tree', 60, 2), (3, 'Mint', 'herb', 3, 90), (4, 'Fern', 'shade', 8, 0);
INSERT INTO gardeners VALUES (1, 'Ada Moor', 'Hull', '1980-06-15'), (2, 'Ben Nye', 'York', '1975-02-03'), (3, 'Cleo Orr', 'Hull', '1999-06-02');
INSERT INTO orders VALUES (1, 1, '2024-03-01', 'sent'), (2, 2, '2024-04-02', 'sent'), (3, 1, '2023-04-05', 'cancelled'), (4, 3, '2023-04-06', 'cancelled');
INSERT INTO order_lines VALUES (1, 1, 2, 12), (1, 3, 10, 3), (2, 2, 1, 55), (3, 1, 2, 10);
INSERT INTO purchases VALUES (1, 1, 50, 4, '2024-01-02'), (2, 3, 200, 1, '2024-02-03');
