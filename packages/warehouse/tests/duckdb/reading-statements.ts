/** Statements that only read. */
import type { Statement } from "../statement-harness.ts";

type Reads = readonly (readonly [why: string, sql: string, more?: Partial<Statement>])[];

const unstable = { isUnstable: true };

const plain: Reads = [
  ["a constant", "SELECT 1"],
  ["a trailing semicolon", "SELECT 1;"],
  ["comments", "/* first */ SELECT 1 -- last"],
  ["a comment with a semicolon", "SELECT 1 /* ; DROP TABLE orders; */"],
  ["a text with a statement in it", "SELECT 'x; DROP TABLE orders; --' AS t"],
  ["a text between dollars", "SELECT $$ it's; DELETE FROM orders $$ AS t"],
  ["an alias that is a keyword", 'SELECT 1 AS "delete", 2 AS "update"'],
  ["a column named like a function with effects", "SELECT 1 AS nextval, 2 AS read_csv"],
  ["a table", "SELECT * FROM orders"],
  ["a table in another case", "SELECT ID FROM ORDERS ORDER BY Id"],
  ["a quoted table", 'SELECT "id" FROM "orders"'],
  ["a table with its schema", "SELECT * FROM main.orders ORDER BY id"],
  ["a table of another schema", "SELECT * FROM sales.orders"],
  ["a table with its database", "SELECT count(*) FROM shop.main.orders"],
  ["comments inside a name", "SELECT count(*) FROM main /* a */ . -- b\n orders"],
  ["a table with a hostile name", 'SELECT "select", "a.b" FROM "we""ird; -- t"'],
  ["a view", "SELECT name, sum(amount) FROM order_names GROUP BY name ORDER BY name"],
  ["FROM first", "FROM orders SELECT id WHERE amount > 3 ORDER BY id"],
  ["FROM alone", "FROM sales.orders"],
  ["TABLE", "TABLE sales.orders", { onlyPlainTables: "TABLE takes a name only" }],
  ["VALUES", "VALUES (1, 'a'), (2, 'b')"],
  ["VALUES as a table", "SELECT * FROM (VALUES (1, 'a')) v(n, t)"],
  ["an alias", "SELECT o.id FROM orders AS o ORDER BY o.id"],
  ["a prefix alias", "SELECT total: o.amount FROM o: orders ORDER BY o.id"],
  ["an alias with columns", "SELECT x FROM sales.orders AS t(x, y) ORDER BY x"],
  ["a column with its table", "SELECT orders.id FROM orders ORDER BY orders.id"],
  ["a column with its schema", "SELECT main.orders.id FROM main.orders ORDER BY 1"],
  ["a column with its schema, of a table without", "SELECT main.orders.id FROM orders ORDER BY 1"],
  ["letters outside ASCII before a name", "SELECT 'Köln 🙂' AS ort, ö.id FROM orders ö ORDER BY ö.id"],
  ["a row as a value", "SELECT o FROM sales.orders o ORDER BY o.id"],
];

const shapes: Reads = [
  ["a join", "SELECT c.name, o.id FROM customers c JOIN orders o ON o.customer_id = c.id ORDER BY o.id"],
  ["USING", "SELECT count(*) FROM orders JOIN sales.orders s USING (id)"],
  [
    "a left join",
    "SELECT c.id, count(o.id) FROM customers c LEFT JOIN orders o ON o.customer_id = c.id AND o.amount > 40 GROUP BY c.id ORDER BY 1",
  ],
  ["a full join", "SELECT count(*) FROM orders a FULL JOIN sales.orders b ON a.id = b.id"],
  ["a semi join", "SELECT id FROM orders SEMI JOIN sales.orders s USING (id) ORDER BY id"],
  ["an anti join", "SELECT count(*) FROM orders ANTI JOIN sales.orders s USING (id)"],
  ["an ASOF join", "SELECT count(*) FROM orders a ASOF JOIN orders b ON a.placed >= b.placed"],
  [
    "a lateral join",
    "SELECT c.id, x.n FROM customers c, LATERAL (SELECT count(*) AS n FROM orders o WHERE o.customer_id = c.id) x ORDER BY c.id",
  ],
  ["a cross join with commas", "SELECT count(*) FROM customers, sales.orders"],
  ["a subquery in FROM", "SELECT max(a) FROM (SELECT amount AS a FROM orders) t"],
  ["a scalar subquery", "SELECT (SELECT max(amount) FROM orders) AS m"],
  [
    "a correlated subquery",
    "SELECT c.id, (SELECT count(*) FROM orders o WHERE o.customer_id = c.id) FROM customers c ORDER BY 1",
  ],
  ["EXISTS", "SELECT id FROM customers c WHERE EXISTS (SELECT 1 FROM orders o WHERE o.customer_id = c.id) ORDER BY id"],
  [
    "IN with a subquery",
    "SELECT id FROM orders WHERE customer_id IN (SELECT id FROM customers WHERE name = 'Ada') ORDER BY id",
  ],
  ["ANY", "SELECT count(*) FROM orders WHERE customer_id = ANY (SELECT id FROM customers)"],
  ["a list of a subquery", "SELECT ARRAY(SELECT id FROM customers ORDER BY id) AS ids"],
  ["a common table expression", "WITH big AS (SELECT * FROM orders WHERE amount > 40) SELECT count(*) FROM big"],
  [
    "a common table expression with the name of its table",
    "WITH orders AS (SELECT id FROM orders WHERE id < 4) SELECT * FROM orders ORDER BY id",
  ],
  [
    "a common table expression beside the table of the same name",
    "WITH orders AS (SELECT 1 AS id) SELECT (SELECT count(*) FROM orders), (SELECT count(*) FROM main.orders)",
  ],
  [
    "common table expressions that use each other",
    "WITH a AS (SELECT id FROM orders), b AS (SELECT max(id) AS m FROM a) SELECT m FROM b",
  ],
  [
    "a common table expression that hides an outer one",
    "WITH t AS (SELECT 1 AS x) SELECT (WITH t AS (SELECT 2 AS y) SELECT y FROM t) AS y, x FROM t",
  ],
  [
    "a common table expression after which the table is visible again",
    "SELECT count(*) FROM (WITH orders AS (SELECT 1) FROM orders) t, orders",
  ],
  [
    "a materialized common table expression",
    "WITH t AS MATERIALIZED (SELECT id FROM orders) SELECT count(*) FROM t a, t b",
  ],
  [
    "a recursive common table expression",
    "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 5) SELECT * FROM n ORDER BY i",
  ],
  [
    "a recursive expression that joins a table",
    "WITH RECURSIVE n AS (SELECT 1 AS i UNION ALL SELECT n.i + 1 FROM n JOIN orders o ON o.id = n.i WHERE n.i < 4) SELECT count(*) FROM n",
  ],
  ["UNION", "SELECT id FROM orders UNION SELECT id FROM sales.orders ORDER BY 1"],
  [
    "UNION ALL BY NAME",
    "SELECT id FROM orders UNION ALL BY NAME SELECT total, id FROM sales.orders ORDER BY id, total",
  ],
  ["EXCEPT and INTERSECT", "(SELECT id FROM orders EXCEPT SELECT 3) INTERSECT SELECT id FROM sales.orders ORDER BY 1"],
  ["a pivot with its values", "PIVOT orders ON region IN ('EU', 'US') USING sum(amount) GROUP BY customer_id"],
  ["a pivot in FROM", "SELECT * FROM (PIVOT orders ON region IN ('EU') USING count(*)) p"],
  ["an unpivot", "SELECT * FROM (UNPIVOT sales.orders ON total INTO NAME n VALUE v) u ORDER BY v"],
  ["a sample", "SELECT count(*) FROM orders TABLESAMPLE reservoir(10 ROWS) REPEATABLE (1)", unstable],
  ["a sample of the query", "SELECT id FROM orders USING SAMPLE 5 ROWS", unstable],
];

const clauses: Reads = [
  ["GROUP BY ALL", "SELECT region, count(*) FROM orders GROUP BY ALL ORDER BY ALL"],
  ["ROLLUP", "SELECT region, customer_id, sum(amount) FROM orders GROUP BY ROLLUP (region, customer_id) ORDER BY ALL"],
  [
    "GROUPING SETS",
    "SELECT region, grouping(region), count(*) FROM orders GROUP BY GROUPING SETS ((region), ()) ORDER BY ALL",
  ],
  ["HAVING", "SELECT customer_id FROM orders GROUP BY customer_id HAVING count(*) > 1 ORDER BY 1"],
  [
    "QUALIFY",
    "SELECT id FROM orders QUALIFY row_number() OVER (PARTITION BY region ORDER BY amount DESC) = 1 ORDER BY id",
  ],
  [
    "a window",
    "SELECT id, sum(amount) OVER (ORDER BY id ROWS BETWEEN 1 PRECEDING AND CURRENT ROW) FROM orders ORDER BY id",
  ],
  [
    "a named window",
    "SELECT id, rank() OVER w FROM orders WINDOW w AS (PARTITION BY region ORDER BY amount) ORDER BY id",
  ],
  ["DISTINCT ON", "SELECT DISTINCT ON (region) region, id FROM orders ORDER BY region, id"],
  ["LIMIT and OFFSET", "SELECT id FROM orders ORDER BY id DESC NULLS LAST LIMIT 3 OFFSET 1"],
  ["LIMIT in percent", "SELECT id FROM orders ORDER BY id LIMIT 10%"],
  [
    "EXCLUDE, REPLACE and RENAME",
    "SELECT * EXCLUDE (region) REPLACE (amount * 2 AS amount) RENAME (placed AS day) FROM orders ORDER BY id",
  ],
  ["COLUMNS", "SELECT COLUMNS('i.*|a.*') FROM orders ORDER BY id"],
  [
    "FILTER and ORDER BY in an aggregate",
    "SELECT string_agg(name, ',' ORDER BY name) FILTER (WHERE id > 1) FROM customers",
  ],
  ["a column by its position", "SELECT #1 FROM sales.orders ORDER BY 1"],
  [
    "CASE and COALESCE",
    "SELECT CASE WHEN email IS NULL THEN 'none' ELSE coalesce(email, '') END FROM customers ORDER BY id",
  ],
  [
    "BETWEEN, LIKE and a regular expression",
    "SELECT id FROM customers WHERE id BETWEEN 1 AND 3 AND name LIKE '%a%' AND regexp_matches(name, '^[A-G]') ORDER BY id",
  ],
  ["casts", "SELECT '12'::INTEGER, CAST('2024-01-31' AS DATE), TRY_CAST('x' AS INTEGER), 'happy'::mood"],
  ["a collation", "SELECT name FROM customers ORDER BY name COLLATE NOCASE"],
  [
    "dates and intervals",
    "SELECT date_trunc('month', placed) AS m, max(shipped + INTERVAL 3 DAY) FROM orders GROUP BY m ORDER BY m",
  ],
  ["a time zone", "SELECT shipped AT TIME ZONE 'Europe/Berlin' FROM orders ORDER BY id"],
  ["the current time", "SELECT current_date, now(), current_timestamp, today()", unstable],
  ["random numbers", "SELECT random(), uuid(), gen_random_uuid()", unstable],
  [
    "lists",
    "SELECT tags[1], len(tags), list_contains(tags, 'b'), [x.upper() FOR x IN tags IF x <> 'a'] FROM customers ORDER BY id",
  ],
  ["a lambda", "SELECT list_transform(tags, lambda t: t || '!') FROM customers ORDER BY id"],
  [
    "structs and maps",
    "SELECT address.city, {'a': 1}.a, map {'k': 2}['k'], struct_pack(x := 1) FROM customers ORDER BY id",
  ],
  ["JSON", "SELECT extra->>'vip', extra->'$.n[0]', json_extract_string(extra, '$.vip') FROM customers ORDER BY id"],
  ["unnest", "SELECT id, unnest(tags) AS tag FROM customers ORDER BY id, tag"],
  ["unnest as a table", "SELECT u.x FROM unnest([3, 4]) u(x)"],
  ["range and generate_series", "SELECT count(*) FROM range(10) a, generate_series(1, 3) b"],
  ["json_each", 'SELECT key FROM json_each(\'{"a": 1, "b": 2}\')'],
  [
    "aggregates",
    "SELECT count(*), sum(amount), avg(amount), median(amount), quantile_cont(amount, 0.9), stddev(amount), arg_max(id, amount), approx_count_distinct(region) FROM orders",
  ],
  ["digests", "SELECT md5(name), sha256(name), hash(id) FROM customers ORDER BY id"],
  ["a hugeint, infinity and NaN", "SELECT 170141183460469231731687303715884105727, 1e999, 'NaN'::DOUBLE"],
  ["a named type of the database", "SELECT enum_range(NULL::mood)"],
  ["ALL and a comparison of rows", "SELECT (1, 2) < (1, 3), 3 > ALL (SELECT id FROM sales.orders)"],
];

export const reads: readonly Statement[] = [...plain, ...shapes, ...clauses].map(([why, sql, more]) => ({
  sql,
  why,
  expect: "rows" as const,
  ...more,
}));
