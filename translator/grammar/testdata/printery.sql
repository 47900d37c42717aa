-- A printery: stock at several sites, goods with a price and a cost, names whose middle says what a thing is, agents with commissions, and clients with several addresses.
CREATE TABLE sites (id int PRIMARY KEY, name text NOT NULL UNIQUE);
CREATE TABLE goods (id int PRIMARY KEY, name text NOT NULL UNIQUE, price numeric(8,2) NOT NULL, cost numeric(8,2) NOT NULL);
CREATE TABLE stock_levels (good_id int NOT NULL REFERENCES goods, site_id int NOT NULL REFERENCES sites, quantity_on_hand int NOT NULL, reorder_point int NOT NULL, PRIMARY KEY (good_id, site_id));
CREATE TABLE agents (id int PRIMARY KEY, name text NOT NULL UNIQUE);
CREATE TABLE contracts (id int PRIMARY KEY, agent_id int NOT NULL REFERENCES agents, signed_on date NOT NULL);
CREATE TABLE commissions (id int PRIMARY KEY, contract_id int NOT NULL REFERENCES contracts, amount numeric(8,2) NOT NULL, invoiced_on date NOT NULL, paid_on date);
CREATE TABLE clients (id int PRIMARY KEY, name text NOT NULL UNIQUE);
CREATE TABLE addresses (id int PRIMARY KEY, client_id int NOT NULL REFERENCES clients, street text NOT NULL, city text NOT NULL);
INSERT INTO sites VALUES (1, 'Central Site'), (2, 'North Site');
INSERT INTO goods VALUES (1, 'Half Stapler', 9, 5), (2, 'Mini Stapler Blue', 4, 2), (3, 'Big Stapler', 12, 5), (4, 'Oak Folder', 3, 1), (5, 'Ash Folder', 2, 1), (6, 'Folder Clip', 1, 0.5);
INSERT INTO stock_levels VALUES (1, 1, 2, 5), (1, 2, 9, 5), (2, 1, 9, 5), (2, 2, 1, 5), (3, 1, 0, 5), (3, 2, 7, 5);
INSERT INTO agents VALUES (1, 'Ann Lee'), (2, 'Bob Ray');
INSERT INTO contracts VALUES (1, 1, '2024-01-01'), (2, 2, '2024-02-01');
INSERT INTO commissions VALUES (1, 1, 10, '2024-02-01', NULL), (2, 1, 20, '2024-02-01', '2024-03-01'), (3, 2, 500, '2024-02-02', NULL);
INSERT INTO clients VALUES (1, 'Alto'), (2, 'Basso'), (3, 'Corno');
INSERT INTO addresses VALUES (1, 1, 'Oak Lane', 'York'), (2, 1, 'Elm Lane', 'York'), (3, 2, 'Ash Lane', 'Bath'), (4, 3, 'Fir Lane', 'Bath'), (5, 1, 'Yew Lane', 'York');
ANALYZE;
