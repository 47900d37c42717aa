CREATE TYPE order_status AS ENUM ('pending', 'paid', 'shipped', 'delivered', 'cancelled', 'returned');
CREATE TYPE customer_tier AS ENUM ('bronze', 'silver', 'gold', 'platinum');

CREATE TABLE stores (
    id        integer PRIMARY KEY,
    name      text NOT NULL UNIQUE,
    city      text NOT NULL,
    country   text NOT NULL,
    opened_on date NOT NULL
);
COMMENT ON TABLE stores IS 'Shops with a street door; web orders belong to none';

CREATE TABLE staff (
    id         integer PRIMARY KEY,
    name       text NOT NULL,
    position   text NOT NULL,
    store_id   integer NOT NULL REFERENCES stores,
    manager_id integer REFERENCES staff,
    hired_on   date NOT NULL,
    salary     numeric(10,2) NOT NULL CHECK (salary > 0)
);
COMMENT ON TABLE staff IS 'People who work in the stores (employees)';
COMMENT ON COLUMN staff.position IS 'Job: store manager, sales assistant, cashier, warehouse clerk';
COMMENT ON COLUMN staff.salary IS 'Yearly gross salary in euros';

CREATE TABLE suppliers (
    id      integer PRIMARY KEY,
    name    text NOT NULL UNIQUE,
    country text NOT NULL
);
COMMENT ON TABLE suppliers IS 'Companies that products are bought from (vendors)';

CREATE TABLE categories (
    id        integer PRIMARY KEY,
    name      text NOT NULL UNIQUE,
    parent_id integer REFERENCES categories
);
COMMENT ON TABLE categories IS 'Product categories, two levels';

CREATE TABLE products (
    id           integer PRIMARY KEY,
    name         text NOT NULL UNIQUE,
    category_id  integer NOT NULL REFERENCES categories,
    supplier_id  integer NOT NULL REFERENCES suppliers,
    price        numeric(10,2) NOT NULL CHECK (price > 0),
    cost         numeric(10,2) NOT NULL CHECK (cost > 0),
    stock        integer NOT NULL CHECK (stock >= 0),
    weight_kg    numeric(6,2) NOT NULL,
    discontinued boolean NOT NULL DEFAULT false,
    added_on     date NOT NULL
);
COMMENT ON TABLE products IS 'What the shop sells (articles, items)';
COMMENT ON COLUMN products.price IS 'List price in euros';
COMMENT ON COLUMN products.cost IS 'Purchase cost in euros';
COMMENT ON COLUMN products.stock IS 'Units in the warehouse';

CREATE TABLE customers (
    id           integer PRIMARY KEY,
    name         text NOT NULL,
    email        text NOT NULL UNIQUE,
    phone        text,
    birth_date   date,
    country      text NOT NULL,
    region       text NOT NULL,
    tier         customer_tier NOT NULL DEFAULT 'bronze',
    newsletter   boolean NOT NULL DEFAULT false,
    signed_up_on date NOT NULL
);
COMMENT ON TABLE customers IS 'People who have an account (clients, buyers)';
COMMENT ON COLUMN customers.email IS 'E-mail address; askpg:private';
COMMENT ON COLUMN customers.phone IS 'Telephone number; askpg:private';
COMMENT ON COLUMN customers.birth_date IS 'Date of birth; askpg:private';
COMMENT ON COLUMN customers.region IS 'Sales region: North, South, East, West, Central';
COMMENT ON COLUMN customers.tier IS 'Loyalty tier';
COMMENT ON COLUMN customers.newsletter IS 'Subscribed to the newsletter';

CREATE TABLE addresses (
    id          integer PRIMARY KEY,
    customer_id integer NOT NULL REFERENCES customers,
    kind        text NOT NULL CHECK (kind IN ('home', 'work')),
    street      text NOT NULL,
    postal_code text NOT NULL,
    city        text NOT NULL,
    country     text NOT NULL
);
COMMENT ON TABLE addresses IS 'Addresses of customers';

CREATE TABLE orders (
    id          integer PRIMARY KEY,
    customer_id integer NOT NULL REFERENCES customers,
    address_id  integer REFERENCES addresses,
    store_id    integer REFERENCES stores,
    staff_id    integer REFERENCES staff,
    status      order_status NOT NULL,
    channel     text NOT NULL CHECK (channel IN ('web', 'store', 'phone')),
    ordered_at  timestamptz NOT NULL,
    total       numeric(10,2) NOT NULL
);
COMMENT ON TABLE orders IS 'Orders of customers (purchases)';
COMMENT ON COLUMN orders.address_id IS 'Where it is sent to; null for orders taken away from a store';
COMMENT ON COLUMN orders.store_id IS 'Store that took the order; null for web orders';
COMMENT ON COLUMN orders.staff_id IS 'Who took the order; null for web orders';
COMMENT ON COLUMN orders.channel IS 'How the order came in: web, store, phone';
COMMENT ON COLUMN orders.total IS 'What the customer pays, in euros (revenue, sales, amount spent)';

CREATE TABLE order_items (
    order_id   integer NOT NULL REFERENCES orders,
    product_id integer NOT NULL REFERENCES products,
    quantity   integer NOT NULL CHECK (quantity > 0),
    unit_price numeric(10,2) NOT NULL,
    discount   numeric(4,2) NOT NULL DEFAULT 0 CHECK (discount >= 0 AND discount < 1),
    PRIMARY KEY (order_id, product_id)
);
COMMENT ON TABLE order_items IS 'Products of each order (order lines)';
COMMENT ON COLUMN order_items.quantity IS 'Units sold';
COMMENT ON COLUMN order_items.unit_price IS 'Price of one unit when it was ordered, in euros';
COMMENT ON COLUMN order_items.discount IS 'Share taken off the unit price, 0.10 is ten percent';

CREATE TABLE payments (
    id       integer NOT NULL,
    order_id integer NOT NULL REFERENCES orders,
    method   text NOT NULL,
    amount   numeric(10,2) NOT NULL,
    paid_at  timestamptz NOT NULL,
    PRIMARY KEY (id, paid_at)
) PARTITION BY RANGE (paid_at);
COMMENT ON TABLE payments IS 'Payments received for orders, one partition a year';
COMMENT ON COLUMN payments.method IS 'card, paypal, bank transfer or gift card';
COMMENT ON COLUMN payments.amount IS 'In euros';

CREATE TABLE shipments (
    id              integer PRIMARY KEY,
    order_id        integer NOT NULL REFERENCES orders,
    carrier         text NOT NULL,
    tracking_number text NOT NULL UNIQUE,
    shipped_at      timestamptz NOT NULL,
    delivered_at    timestamptz
);
COMMENT ON TABLE shipments IS 'Parcels sent to customers';
COMMENT ON COLUMN shipments.delivered_at IS 'Null while the parcel is on its way';

CREATE TABLE returns (
    id          integer PRIMARY KEY,
    order_id    integer NOT NULL,
    product_id  integer NOT NULL,
    reason      text NOT NULL,
    quantity    integer NOT NULL CHECK (quantity > 0),
    refund      numeric(10,2) NOT NULL,
    returned_at timestamptz NOT NULL,
    FOREIGN KEY (order_id, product_id) REFERENCES order_items
);
COMMENT ON TABLE returns IS 'Products that customers sent back';
COMMENT ON COLUMN returns.refund IS 'Money given back, in euros';

CREATE TABLE reviews (
    id          integer PRIMARY KEY,
    product_id  integer NOT NULL REFERENCES products,
    customer_id integer NOT NULL REFERENCES customers,
    rating      smallint NOT NULL CHECK (rating BETWEEN 1 AND 5),
    title       text NOT NULL,
    written_at  timestamptz NOT NULL
);
COMMENT ON TABLE reviews IS 'What customers think of products';
COMMENT ON COLUMN reviews.rating IS 'Stars, 1 is worst and 5 is best';
