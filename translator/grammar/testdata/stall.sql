-- A market stall: amounts of units, a state and a way of payment, what lacks,
-- a table of words, and views that have summed up already.
CREATE TABLE suppliers (id integer PRIMARY KEY, name text NOT NULL UNIQUE);
CREATE TABLE products (
    id          integer PRIMARY KEY,
    name        text NOT NULL UNIQUE,
    category    text NOT NULL,
    supplier_id integer NOT NULL REFERENCES suppliers,
    price       numeric(8,2) NOT NULL,
    stock       integer NOT NULL,
    added_on    date NOT NULL
);
CREATE TABLE customers (id integer PRIMARY KEY, name text NOT NULL, tier text NOT NULL, phone text, joined_on date NOT NULL);
CREATE TABLE orders (
    id          integer PRIMARY KEY,
    customer_id integer NOT NULL REFERENCES customers,
    ordered_at  timestamptz NOT NULL,
    status      text NOT NULL,
    channel     text NOT NULL,
    method      text NOT NULL,
    total       numeric(8,2) NOT NULL
);
CREATE TABLE order_items (
    order_id   integer NOT NULL REFERENCES orders,
    product_id integer NOT NULL REFERENCES products,
    quantity   integer NOT NULL,
    unit_price numeric(8,2) NOT NULL,
    PRIMARY KEY (order_id, product_id)
);
CREATE TABLE reviews (
    id         integer PRIMARY KEY,
    product_id integer NOT NULL REFERENCES products,
    rating     integer NOT NULL,
    body       text,
    written_on date NOT NULL
);
INSERT INTO suppliers VALUES (1, 'Quality Toys'), (2, 'Plain Goods');
INSERT INTO products VALUES (1, 'Kite', 'toys', 1, 20, 5, '2022-01-01'), (2, 'Drum', 'toys', 1, 30, 9, '2024-01-01'), (3, 'Broom', 'home', 2, 8, 40, '2023-01-01');
INSERT INTO customers VALUES (1, 'Ana Sol', 'gold', '1', '2020-01-01'), (2, 'Ben Tor', 'gold', NULL, '2024-01-01'), (3, 'Cy Ulm', 'silver', '3', '2022-01-01');
INSERT INTO orders VALUES
    (1, 1, '2024-03-01 10:00+00', 'paid', 'phone', 'card', 1500), (2, 1, '2024-05-01 10:00+00', 'shipped', 'web', 'cash', 90),
    (3, 2, '2023-04-01 10:00+00', 'paid', 'web', 'cash', 1200), (4, 3, '2024-04-01 10:00+00', 'delivered', 'web', 'card', 60);
INSERT INTO order_items VALUES (1, 1, 3, 20), (1, 3, 10, 8), (2, 2, 1, 30), (3, 1, 2, 20), (4, 3, 5, 8);
INSERT INTO reviews VALUES (1, 1, 5, 'good quality', '2024-04-01'), (2, 2, 2, 'loud', '2024-05-01'), (3, 1, 3, NULL, '2024-06-01');
CREATE VIEW product_sales AS SELECT p.id AS product_id, p.name AS product, p.category, sum(i.quantity) AS units_sold, sum(i.quantity * i.unit_price) AS revenue
    FROM products p JOIN order_items i ON i.product_id = p.id GROUP BY p.id;
CREATE VIEW monthly_sales AS SELECT date_trunc('month', ordered_at)::date AS month, count(*) AS order_count, sum(total) AS revenue FROM orders GROUP BY 1;
