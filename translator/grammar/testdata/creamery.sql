-- A creamery: what is sold in shops and on the web, a channel that is called as a table is, and a view with one row for each cheese.
CREATE TABLE shops (id int PRIMARY KEY, name text NOT NULL UNIQUE, city text NOT NULL);
CREATE TABLE buyers (id int PRIMARY KEY, name text NOT NULL UNIQUE, tier text NOT NULL);
CREATE TABLE sellers (id int PRIMARY KEY, name text NOT NULL, salary numeric(9,2) NOT NULL);
CREATE TABLE cheeses (id int PRIMARY KEY, name text NOT NULL UNIQUE, kind text NOT NULL, litres int NOT NULL);
CREATE TABLE sales (id int PRIMARY KEY, buyer_id int NOT NULL REFERENCES buyers, seller_id int NOT NULL REFERENCES sellers, cheese_id int NOT NULL REFERENCES cheeses, shop_id int REFERENCES shops, channel text NOT NULL, total numeric(9,2) NOT NULL, sold_on date NOT NULL);
CREATE VIEW cheese_sales AS SELECT c.id AS cheese_id, c.name AS cheese, c.kind, sum(s.total) AS turnover FROM cheeses c JOIN sales s ON s.cheese_id = c.id GROUP BY c.id;
INSERT INTO shops VALUES (1, 'Hill Dairy', 'Bath'), (2, 'Mill Dairy', 'York');
INSERT INTO buyers VALUES (1, 'Ada Lund', 'gold'), (2, 'Bo Marsh', 'silver'), (3, 'Cleo North', 'silver');
INSERT INTO sellers VALUES (1, 'Dan Oak', 3000), (2, 'Eve Pine', 2500);
INSERT INTO cheeses VALUES (1, 'Blue Hill', 'soft', 8), (2, 'White Hill', 'soft', 7), (3, 'Old Mill', 'hard', 12);
INSERT INTO sales VALUES (1, 1, 1, 3, 1, 'shop', 90, '2024-03-01'), (2, 2, 2, 1, NULL, 'web', 60, '2024-03-02'), (3, 3, 2, 2, NULL, 'web', 70, '2024-03-03'), (4, 1, 2, 1, NULL, 'web', 50, '2024-03-04'), (5, 1, 1, 3, 2, 'shop', 10, '2024-03-05');
ALTER TABLE sales ADD status text NOT NULL DEFAULT 'done';
UPDATE sales SET status = 'paid' WHERE id = 2;
CREATE TABLE payments (id int PRIMARY KEY, sale_id int NOT NULL REFERENCES sales, method text NOT NULL, paid_on date NOT NULL);
INSERT INTO payments VALUES (1, 1, 'card', '2024-03-01'), (2, 2, 'cash', '2024-03-02'), (3, 3, 'card', '2024-04-03');
