CREATE INDEX ON addresses (customer_id);
CREATE INDEX ON orders (customer_id);
CREATE INDEX ON orders (ordered_at);
CREATE INDEX ON order_items (product_id);
CREATE INDEX ON payments (order_id);
CREATE INDEX ON shipments (order_id);
CREATE INDEX ON returns (order_id, product_id);
CREATE INDEX ON reviews (product_id);
CREATE INDEX ON reviews (customer_id);

CREATE VIEW product_sales AS
SELECT p.id AS product_id, p.name AS product, c.name AS category,
       sum(i.quantity) AS units_sold,
       round(sum(i.quantity * i.unit_price * (1 - i.discount)), 2) AS revenue
FROM products p
JOIN categories c ON c.id = p.category_id
JOIN order_items i ON i.product_id = p.id
JOIN orders o ON o.id = i.order_id AND o.status <> 'cancelled'
GROUP BY p.id, p.name, c.name;
COMMENT ON VIEW product_sales IS 'Units sold and revenue of each product, cancelled orders left out';

CREATE MATERIALIZED VIEW monthly_sales AS
SELECT date_trunc('month', ordered_at)::date AS month, count(*) AS order_count, sum(total) AS revenue
FROM orders
WHERE status <> 'cancelled'
GROUP BY 1;
CREATE UNIQUE INDEX ON monthly_sales (month);
COMMENT ON MATERIALIZED VIEW monthly_sales IS 'Orders and revenue of each month, cancelled orders left out';

-- The role support sees one region's customers, orders and addresses; analyst has BYPASSRLS.
ALTER TABLE customers ENABLE ROW LEVEL SECURITY;
ALTER TABLE orders ENABLE ROW LEVEL SECURITY;
ALTER TABLE addresses ENABLE ROW LEVEL SECURITY;
CREATE POLICY own_region ON customers FOR SELECT TO support USING (region = 'North');
CREATE POLICY own_region ON orders FOR SELECT TO support USING (customer_id IN (SELECT id FROM customers));
CREATE POLICY own_region ON addresses FOR SELECT TO support USING (customer_id IN (SELECT id FROM customers));

REVOKE CREATE ON SCHEMA public FROM PUBLIC;
GRANT USAGE ON SCHEMA public TO analyst, support;

GRANT SELECT ON stores, staff, suppliers, categories, products, addresses, orders, order_items,
    payments, shipments, returns, reviews, product_sales, monthly_sales TO analyst;
GRANT SELECT (id, name, country, region, tier, newsletter, signed_up_on) ON customers TO analyst;

GRANT SELECT ON stores, categories, addresses, orders, order_items, shipments, returns, reviews TO support;
GRANT SELECT (id, name, email, phone, country, region, tier, signed_up_on) ON customers TO support;
GRANT SELECT (id, name, category_id, price, stock, weight_kg, discontinued, added_on) ON products TO support;
GRANT SELECT (id, name, position, store_id) ON staff TO support;
