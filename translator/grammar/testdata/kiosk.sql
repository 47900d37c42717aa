-- A kiosk: one row for each sale, some given back, some with a price for one piece; a rebate on some services is of one or of all.
CREATE TABLE articles (id integer PRIMARY KEY, title text NOT NULL UNIQUE, sort text NOT NULL);
CREATE TABLE sales (
    id integer PRIMARY KEY, article_id integer NOT NULL REFERENCES articles, pieces integer NOT NULL, unit_price numeric(8,2) NOT NULL, sold_at timestamp NOT NULL, is_refunded boolean NOT NULL,
    payment text NOT NULL
);
INSERT INTO articles VALUES (1, 'Daily', 'paper'), (2, 'Gum', 'sweet');
INSERT INTO sales VALUES (1, 1, 1, 3, '2024-05-01 08:00', false, 'cash'), (2, 2, 4, 1.5, '2024-05-02 09:00', true, 'card'), (3, 1, 2, 3, '2023-05-02 18:00', false, 'card');
