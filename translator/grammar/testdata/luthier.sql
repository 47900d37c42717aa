CREATE TABLE buyers (buyer_id int PRIMARY KEY, full_name text NOT NULL UNIQUE);
CREATE TABLE instruments (instrument_id int PRIMARY KEY, name text NOT NULL UNIQUE, price numeric NOT NULL, stock int NOT NULL);
CREATE TABLE orders (order_id int PRIMARY KEY, buyer_id int NOT NULL REFERENCES buyers, ordered_on date NOT NULL);
CREATE TABLE order_lines (line_id int PRIMARY KEY, order_id int NOT NULL REFERENCES orders, instrument_id int NOT NULL REFERENCES instruments, quantity int NOT NULL);
INSERT INTO buyers VALUES (1, 'Otto Hahn'), (2, 'Ida Hahn'), (3, 'Mia Hahnel'), (4, 'Jo O''Dea'), (5, 'Ole O''Dea');
INSERT INTO instruments VALUES (1, 'Vega Cello', 900, 2), (2, 'Lyra Cello', 700, 0), (3, 'Vega Bow', 90, 5), (4, 'Lyra Bow', 60, 4), (5, 'Rainbow Mute', 9, 7), (6, 'Sole Flute', 300, 1), (7, 'Old Flute', 200, 1);
INSERT INTO orders VALUES (1, 1, '2025-03-01'), (2, 2, '2025-03-02'), (3, 3, '2025-04-05'), (4, 3, '2025-04-06');
INSERT INTO order_lines VALUES (1, 1, 1, 1), (2, 1, 3, 2), (3, 2, 2, 1), (4, 3, 4, 3), (5, 4, 5, 4);
ANALYZE;
