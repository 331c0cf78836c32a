import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { PostgresCluster, skipsPostgres } from "../../../stores/postgres/tests/postgres-cluster.ts";
import { postgresConnector } from "../../src/connectors/postgres/postgres-connector.ts";
import { openWarehouse } from "../../src/warehouse/open-warehouse.ts";
import { openPlain } from "../postgres/open-warehouse.ts";
import { testViewRules } from "./view-rules.ts";

const tables = `
  CREATE SCHEMA shop; CREATE SCHEMA hidden; SET search_path = shop;
  CREATE TABLE orders (id bigint PRIMARY KEY, region text); INSERT INTO orders VALUES (1, 'EU'), (2, 'hidden-4711');
  CREATE TABLE salaries (amount int); INSERT INTO salaries VALUES (5);
  CREATE VIEW all_orders AS SELECT * FROM orders;
  CREATE VIEW order_ids AS WITH own AS (SELECT id FROM all_orders) SELECT * FROM own;
  CREATE VIEW pay AS SELECT id, (SELECT count(*) FROM salaries) AS n FROM orders;
  CREATE MATERIALIZED VIEW order_copy AS SELECT * FROM orders;
  CREATE TABLE order_heirs () INHERITS (orders);
  CREATE MATERIALIZED VIEW pay_copy AS SELECT * FROM salaries;
  CREATE FUNCTION most() RETURNS int LANGUAGE sql STABLE AS 'SELECT max(amount) FROM shop.salaries';
  CREATE FUNCTION most_pure() RETURNS int LANGUAGE sql IMMUTABLE AS 'SELECT max(amount) FROM shop.salaries';
  CREATE FUNCTION most_atomic() RETURNS int LANGUAGE sql IMMUTABLE BEGIN ATOMIC SELECT max(amount) FROM shop.salaries; END;
  CREATE FUNCTION most_of(int, int) RETURNS int LANGUAGE plpgsql IMMUTABLE AS
    'DECLARE n int; BEGIN EXECUTE ''SELECT max(amount) FR'' || ''OM shop.salaries'' INTO n; RETURN n; END';
  CREATE OPERATOR #> (LEFTARG = int, RIGHTARG = int, FUNCTION = most_of);
  CREATE FUNCTION year_of(date) RETURNS int LANGUAGE sql IMMUTABLE AS 'SELECT extract(year FROM $1)::int';
  CREATE VIEW pay_function AS SELECT id, most() AS n FROM orders;
  CREATE VIEW pay_pure AS SELECT id, most_pure() AS n FROM orders;
  CREATE VIEW pay_atomic AS SELECT id, most_atomic() AS n FROM orders;
  CREATE VIEW pay_operator AS SELECT id, 1 #> 2 AS n FROM orders;
  CREATE VIEW pay_xml AS SELECT id, query_to_xml('SELECT * FROM shop.salaries', true, false, '') AS n FROM orders;
  CREATE VIEW pay_statistics AS SELECT most_common_vals::text AS n FROM pg_stats;
  CREATE VIEW pay_catalog AS SELECT relname FROM pg_class;
  CREATE VIEW hidden.inner_pay AS SELECT * FROM salaries;
  CREATE VIEW pay_twice AS SELECT * FROM hidden.inner_pay;
  CREATE TABLE pay_parent (amount int);
  CREATE TABLE hidden.salaries (PRIMARY KEY (amount)) INHERITS (pay_parent);
  CREATE TABLE pay_parts (id int, region text) PARTITION BY LIST (id); CREATE TABLE orders_part_1 PARTITION OF pay_parts FOR VALUES IN (1);
  ANALYZE;
  CREATE VIEW order_years AS SELECT year_of('2024-01-31') AS y FROM orders;
`;

describe.skipIf(skipsPostgres)("on PostgreSQL (needs Debian's package postgresql)", () => {
  let cluster: PostgresCluster;
  beforeAll(async () => {
    cluster = await PostgresCluster.create();
    const plain = await openPlain(cluster);
    await plain.query(tables);
    await plain.end();
  });
  afterAll(() => cluster?.remove());

  testViewRules({
    connector: postgresConnector,
    config: () => ({ type: "postgres", url: cluster.url, sslmode: "disable" }),
    schema: "shop",
    others: ["order_copy", "order_heirs", "order_years"],
    othersOfPay: [
      "pay_copy",
      "pay_function",
      "pay_pure",
      "pay_atomic",
      "pay_operator",
      "pay_xml",
      "pay_statistics",
      "pay_catalog",
      "pay_twice",
    ],
    escapes: [
      "SELECT count(*) FROM shop.orders WHERE region <> 'EU'",
      "SELECT max(region), min(region), count(*) FROM shop.orders",
      "SELECT CAST(region AS int) FROM shop.orders WHERE id = 2",
      "SELECT id FROM shop.orders AS o WHERE EXISTS (SELECT 1 FROM shop.orders AS p WHERE p.id > o.id)",
      "EXPLAIN SELECT * FROM shop.orders",
      "SELECT most_common_vals::text FROM pg_stats",
      "SELECT histogram_bounds::text FROM pg_catalog.pg_stats",
      "SELECT * FROM information_schema.columns",
      "SELECT query FROM pg_stat_activity",
      "TABLE shop.orders",
      "SELECT * FROM ONLY shop.orders",
      "SELECT * FROM shop.orders TABLESAMPLE SYSTEM (100)",
      "SELECT orders FROM shop.orders",
      "SELECT (orders).region FROM shop.orders",
      "SELECT orders::text FROM shop.orders",
      "SELECT row_to_json(o) FROM shop.orders o",
      "SELECT ctid, tableoid, xmin, region FROM shop.orders",
      "EXPLAIN (ANALYZE, VERBOSE) SELECT * FROM shop.orders",
      "SELECT query_to_xml('SELECT * FROM shop.orders', true, false, '')",
      "SELECT table_to_xml('shop.orders', true, false, '')",
      "SELECT pg_get_expr(stavalues1::text::pg_node_tree, 0) FROM pg_statistic",
      "SELECT * FROM shop.orders WHERE region::int > 0",
      "SELECT '{}'::shop.orders",
      "SELECT * FROM json_populate_record(NULL::shop.orders, '{}')",
      "SELECT currval('shop.orders')",
      "SELECT count(*) FROM shop.orders_part_1",
    ],
  });

  test("a function that is declared immutable and reads a table may not be called, unless the settings name it", async () => {
    const answers = async (functions: readonly string[]) => {
      const config = { type: "postgres", url: cluster.url, sslmode: "disable", exclude: ["shop.salaries"], functions };
      const context = { projectDir: "/" };
      const warehouse = await openWarehouse({ name: "shop", connector: postgresConnector, config, context });
      const calls = ["most_pure()", "most_atomic()", "most_of(1, 2)", "year_of('2024-01-31')"];
      try {
        return await Promise.all(
          calls.map((call) =>
            warehouse.query(`SELECT shop.${call}`).then(
              ({ rows }) => rows[0]?.[0],
              ({ reason }) => reason,
            ),
          ),
        );
      } finally {
        await warehouse.close();
      }
    };
    expect(await answers([])).toEqual(["effect", "effect", "effect", 2024n]);
    expect(await answers(["shop.most_pure"])).toEqual([5n, "effect", "effect", 2024n]);
  });
});
