-- A wine merchant: lines of bottles and the price of one, drafts, and people who are called by a short word.
CREATE TABLE wines (id int PRIMARY KEY, label text NOT NULL, selling_price numeric(8,2) NOT NULL, buying_price numeric(8,2) NOT NULL, reorder_level int NOT NULL);
CREATE TABLE accounts (id int PRIMARY KEY, name text NOT NULL, kind text NOT NULL, opened_on date NOT NULL);
CREATE TABLE reps (id int PRIMARY KEY, first_name text NOT NULL, last_name text NOT NULL, joined_on date NOT NULL, left_on date);
CREATE TABLE invoices (id int PRIMARY KEY, number text NOT NULL UNIQUE, account_id int NOT NULL REFERENCES accounts, rep_id int NOT NULL REFERENCES reps, issued_on date NOT NULL, due_on date NOT NULL, status text NOT NULL);
CREATE TABLE invoice_items (invoice_id int NOT NULL REFERENCES invoices, wine_id int NOT NULL REFERENCES wines, bottles int NOT NULL, price_per_bottle numeric(8,2) NOT NULL, PRIMARY KEY (invoice_id, wine_id));
INSERT INTO wines VALUES (1, 'Merle', 12, 6, 20), (2, 'Noir', 30, 11, 20), (3, 'Olme', 20, 18, 20);
INSERT INTO accounts VALUES (1, 'Grand Inn', 'hotel', '2020-01-01'), (2, 'Little Table', 'restaurant', '2021-01-01');
INSERT INTO reps VALUES (1, 'Ann', 'Bell', '2015-01-01', NULL), (2, 'Bo', 'Cain', '2017-01-01', NULL);
INSERT INTO invoices VALUES (1, 'I-1', 1, 1, '2024-03-01', '2024-04-01', 'sent'), (2, 'I-2', 2, 2, '2024-04-01', '2024-05-01', 'sent'), (3, 'I-3', 2, 2, '2024-04-02', '2024-05-02', 'draft'), (4, 'I-4', 1, 2, '2024-04-02', '2024-05-02', 'draft');
INSERT INTO invoice_items VALUES (1, 1, 6, 12), (1, 2, 6, 30), (2, 2, 12, 28), (3, 1, 60, 12), (4, 1, 1, 12);
