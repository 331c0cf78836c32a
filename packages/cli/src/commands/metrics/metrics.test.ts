import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { runCli } from "../../command/cli-for-tests.ts";

const orders = `name: orders
description: One row for each order.
table: orders
primary_key: [id]
default_time: placed
joins:
  - { to: customers, on: [[customer_id, id]], relationship: many_to_one }
dimensions:
  - { name: placed, expr: placed_on, grain: day }
measures:
  - { name: revenue, agg: sum, expr: total, description: Without tax. }
  - { name: count, agg: count }
segments:
  - { name: paid, filter: "status = 'paid'" }
`;
const customers = `name: customers
table: customers
primary_key: [id]
dimensions: [{ name: city }, { name: since }]
measures: [{ name: count, agg: count }]
`;

let cwd: string;
beforeAll(async () => {
  cwd = await mkdtemp(join(tmpdir(), "bridle-metrics-command-"));
  const database = new DatabaseSync(join(cwd, "shop.db"));
  database.exec(`CREATE TABLE customers (id INTEGER, city TEXT, since DATE);
    CREATE TABLE orders (id INTEGER, customer_id INTEGER, status TEXT, total DECIMAL(10,2), placed_on DATE);
    INSERT INTO customers VALUES (1, 'Berlin', '2025-03-02'), (2, 'Athens', '2025-04-01');
    INSERT INTO orders VALUES (1, 1, 'paid', 10.5, '2025-01-03'), (2, 1, 'open', 20, '2025-03-01'), (3, 2, 'paid', 7, '2025-03-09');`);
  database.close();
  const settings = "context:\n  connections:\n    shop: { type: sqlite, file: shop.db }\n";
  await writeFile(join(cwd, "bridle.yaml"), `llm: { provider: { backend: none } }\n${settings}`);
  await put("orders", orders);
  await put("customers", customers);
  await runCli(["context", "scan"], { cwd });
});
afterAll(() => rm(cwd, { recursive: true }));

async function put(name: string, text: string): Promise<void> {
  await mkdir(join(cwd, "context/models"), { recursive: true });
  await writeFile(join(cwd, `context/models/${name}.yaml`), text);
}

const bridle = (...words: string[]) => runCli(words, { cwd });

test("metrics list and show print the measures with their formulas", async () => {
  expect(await bridle("metrics", "list")).toMatchObject({ code: 0, stderr: "" });
  expect((await bridle("metrics")).stdout).toMatch(/^orders\.revenue +sum of total +Without tax\.$/m);
  const { stdout } = await bridle("metrics", "show", "orders");
  expect(stdout).toContain("shop.main.orders, by default over orders.placed");
  expect(stdout).toMatch(/^orders\.customers +customers +many-to-one$/m);
  const missing = await bridle("metrics", "show", "orders.revenu");
  expect(missing).toMatchObject({ code: 3, stdout: "" });
  expect(missing.stderr).toContain("Did you mean orders.revenue");
});

describe("bridle query", () => {
  test("prints groups in order with totals", async () => {
    const words = ["orders.revenue,orders.count", "--by", "customers.city", "--order=-orders.revenue", "--totals"];
    expect((await bridle("query", ...words)).stdout).toBe(
      "city    revenue  count\nBerlin  30.5     2\nAthens  7        1\n\ntotal: revenue 37.5, count 3\n",
    );
  });

  test("prints CSV with filters before and after the aggregation", async () => {
    const words = ["--by", "customers.city", "--segment", "orders.paid", "--having", "orders.revenue > 8", "--csv"];
    expect((await bridle("query", "orders.revenue", ...words)).stdout).toBe("city,revenue\nBerlin,10.5\n");
  });

  test("prints bars by month, also of months without rows", async () => {
    const words = ["--by", "orders.placed:month", "--fill", "--chart"];
    const { stdout } = await bridle("query", "orders.count", ...words);
    expect(stdout).toMatch(/^count\n2025-01-01 {2}1 {2}█+.?\n2025-02-01 {2}\S+\n2025-03-01 {2}2 {2}█{49}\n$/);
  });

  test("groups by parts of a time, limits each group, and takes its periods from a spine", async () => {
    const parts = await bridle("query", "orders.count", "--by", "month of orders.placed as month", "--csv");
    expect(parts.stdout).toBe("month,count\n1,1\n3,2\n");
    const best = ["--by", "customers.city,orders.placed", "--order=-revenue", "--limit", "1"];
    const limited = await bridle("query", "orders.revenue", ...best, "--limit-per", "customers.city", "--csv");
    expect(limited.stdout).toBe("city,placed,revenue\nBerlin,2025-03-01,20\nAthens,2025-03-09,7\n");
    const spine = ["--by", "orders.placed:month", "--spine", "2025-02-01..2025-03-31", "--csv"];
    expect((await bridle("query", "orders.count", ...spine)).stdout).toBe("placed,count\n2025-02-01,0\n2025-03-01,2\n");
  });

  test("puts the dates of several models on one axis, and names columns that would be equal", async () => {
    const words = ["--by", "orders.placed+customers.since:month as month", "--csv"];
    expect((await bridle("query", "orders.count", "customers.count", ...words)).stdout).toBe(
      "month,orders_count,customers_count\n2025-01-01,1,0\n2025-03-01,2,1\n2025-04-01,0,1\n",
    );
    const twice = ["--by", "orders.placed:month,orders.placed:year"];
    const refused = await bridle("query", "orders.count", ...twice);
    expect(refused.stderr).toContain('The result has two columns placed. Name one of them with "as".');
    const named = await bridle(
      "query",
      "orders.count as n",
      "--by",
      "orders.placed:month",
      "--by",
      "orders.placed:year as year",
      "--csv",
    );
    expect(named.stdout).toBe("placed,year,n\n2025-01-01,2025-01-01,1\n2025-03-01,2025-01-01,2\n");
  });

  test("prints the SQL or the plan, and runs nothing", async () => {
    const sql = await bridle("query", "orders.revenue", "--by", "customers.city", "--sql");
    expect(sql.stdout).toMatch(/^WITH .*;\n$/s);
    const plan = await bridle("query", "orders.revenue", "--by", "customers.city", "--explain");
    expect(plan.stdout).toContain("The result has a row for each group of customers.city.");
  });

  test("says whether the rows are those of an earlier run, and computes them again on request", async () => {
    const run = async (...words: string[]) =>
      JSON.parse((await bridle("query", "orders.revenue as cached_revenue", "--json", ...words)).stdout);
    expect((await bridle("query", "orders.revenue as cached_revenue", "--explain")).stdout).toContain(
      "No answer is stored",
    );
    expect(await run()).toMatchObject({ cached: false, rows: [[37.5]] });
    expect(await run()).toMatchObject({ cached: true, rows: [[37.5]] });
    expect(await run("--no-cache")).toMatchObject({ cached: false });
    expect((await bridle("query", "orders.revenue as cached_revenue", "--explain")).stdout).toMatch(
      /^An answer was stored at 20\S+Z\. It is used if the tables have not changed since\.$/m,
    );
  });

  test.each([
    [["orders.revenu"], 1, "Refused (unknown_name)"],
    [["orders.revenue", "--by", "orders.placed:decade"], 2, "decade is not a grain."],
    [[], 2, "The measures are missing."],
    [["orders.revenue", "--where", "1 = 1; DROP TABLE orders"], 1, "Refused (invalid_expression)"],
  ])("%j ends with code %i and the reason", async (words, code, sentence) => {
    const result = await bridle("query", ...words);
    expect(result).toMatchObject({ code, stdout: "" });
    expect(result.stderr).toContain(sentence);
  });
});

describe("bridle metrics validate", () => {
  test("runs each measure", async () => {
    const result = await bridle("metrics", "validate");
    expect(result).toMatchObject({ code: 0, stderr: "" });
    expect(result.stdout).toMatch(/^orders\.revenue +37\.5$/m);
  });

  test("names a wrong column with file, line and the nearest name", async () => {
    await put("orders", orders.replace("expr: total", "expr: totl"));
    const result = await bridle("metrics", "validate");
    await put("orders", orders);
    expect(result).toMatchObject({ code: 1, stdout: "" });
    expect(result.stderr).toMatch(/^context\/models\/orders\.yaml:11:\d+: .*"totl".*"total"/);
  });

  test("counts a key that is not unique, and a query that needs it is refused", async () => {
    await put("customers", customers.replace("[id]", "[city]").replace("table: customers", "table: orders"));
    await put("orders", orders.replace("[customer_id, id]", "[customer_id, customer_id]"));
    await put("customers", "name: customers\ntable: orders\nprimary_key: [id]\ndimensions: [{ name: status }]\n");
    const result = await bridle("metrics", "validate");
    const query = await bridle("query", "orders.revenue", "--by", "customers.status");
    await put("orders", orders);
    await put("customers", customers);
    expect(result.code).toBe(1);
    expect(result.stderr).toContain("The join orders.customers declares one row, but 1 key occurs more than once.");
    expect(query).toMatchObject({ code: 1, stdout: "" });
    expect(query.stderr).toContain("Refused (wrong_key)");
  });
});
