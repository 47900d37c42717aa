-- name: Rows :many
SELECT row_to_json(r)::text AS row FROM ask(sqlc.arg(question)::text) AS r;

-- name: Number :one
SELECT r.n::bigint AS n FROM ask(sqlc.arg(question)::text) AS r(n);

-- name: Constant :one
SELECT r.n::bigint AS n FROM ask('how many customers in Germany') AS r(n);

-- name: Page :many
SELECT c.id, c.name FROM ask(sqlc.arg(question)::text) AS r(id) JOIN customers c ON c.id = r.id::int
WHERE c.id > sqlc.arg(behind) ORDER BY c.id LIMIT sqlc.arg(page_size);

-- name: Chosen :one
SELECT r.sql::text AS sql FROM ask(sqlc.arg(question)::text, 'sql') AS r(sql);
