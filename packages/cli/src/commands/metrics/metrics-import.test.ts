import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterEach, beforeEach, expect, test } from "vitest";
import { runCli } from "../../command/cli-for-tests.ts";

const metricFlow = `semantic_models:
  - name: orders
    model: ref('orders')
    defaults: { agg_time_dimension: placed }
    entities:
      - { name: order, type: primary, expr: id }
      - { name: customer, type: foreign, expr: customer_id }
    dimensions:
      - { name: placed, type: time, expr: placed_on, type_params: { time_granularity: day } }
    measures:
      - { name: revenue, agg: sum, expr: total }
      - { name: taxes, agg: sum, expr: tax }
  - name: customers
    model: ref('customers')
    entities: [{ name: customer, type: primary, expr: id }]
    dimensions: [{ name: city, type: categorical }]
metrics:
  - { name: revenue, type: simple, type_params: { measure: revenue } }
  - { name: so_far, type: cumulative, type_params: { measure: revenue } }
`;
const whole = metricFlow.replace("      - { name: taxes, agg: sum, expr: tax }\n", "");

let cwd: string;
beforeEach(async () => {
  cwd = await mkdtemp(join(tmpdir(), "bridle-metrics-import-"));
  const database = new DatabaseSync(join(cwd, "shop.db"));
  database.exec(`CREATE TABLE customers (id INTEGER PRIMARY KEY, city TEXT);
    CREATE TABLE orders (id INTEGER PRIMARY KEY, customer_id INTEGER, total DECIMAL(10,2), placed_on DATE);
    INSERT INTO customers VALUES (1, 'Berlin'), (2, 'Athens');
    INSERT INTO orders VALUES (1, 1, 10.5, '2025-01-03'), (2, 1, 20, '2025-03-01'), (3, 2, 7, '2025-03-09');`);
  database.close();
  const settings = "context:\n  connections:\n    shop: { type: sqlite, file: shop.db }\n";
  await put("bridle.yaml", `llm: { provider: { backend: none } }\n${settings}`);
});
afterEach(() => rm(cwd, { recursive: true }));

async function put(file: string, content: string | Uint8Array): Promise<void> {
  await mkdir(dirname(join(cwd, file)), { recursive: true });
  await writeFile(join(cwd, file), content);
}
const bridle = (...words: string[]) => runCli(words, { cwd });
const text = (file: string) => readFile(join(cwd, file), "utf8");

test("an import of LookML writes models whose numbers are those of SQL, and counts what is not needed", async () => {
  const view = `view: orders {
  dimension: id { primary_key: yes type: number value_format: "0" }
  measure: revenue { type: sum sql: $\{TABLE}.total ;; value_format_name: usd }
  measure: large { type: count filters: [id: ">1"] }
  measure: so_far { type: running_total sql: $\{revenue} ;; }
}`;
  await put("looker/orders.view.lkml", view.replaceAll("\n", "\r\n"));
  await bridle("context", "scan");
  const { code, stdout } = await bridle("metrics", "import", "looker");
  expect({ code, stdout }).toEqual({
    code: 1,
    stdout: `looker/orders.view.lkml:5: refused measure so_far. Looker adds up the rows that a query shows, in their order. Use a cumulative metric.
context/models/orders.yaml: new
Not needed, as it changes no number: value_format (1), value_format_name (1).
Imported 1 model from lookml with 1 dimension, 2 measures, 0 metrics, 0 joins; 1 refused, 0 changed.
`,
  });
  const answer = await bridle("query", "orders.revenue", "orders.large", "--csv");
  expect(answer.stdout).toBe("revenue,large\n37.5,2\n");
});

test("an import writes models that pass the check, and their numbers are those of SQL", async () => {
  await put("dbt/models/orders.yml", whole.replaceAll("\n", "\r\n"));
  await bridle("context", "scan");
  const { code, stdout } = await bridle("metrics", "import", "dbt");
  expect({ code, stdout }).toEqual({
    code: 0,
    stdout: `context/models/orders.yaml: new
context/models/customers.yaml: new
Imported 2 models from metricflow with 5 dimensions, 1 measure, 1 metric, 1 join; 0 refused, 0 changed.
`,
  });
  expect(await bridle("metrics", "validate")).toMatchObject({ code: 0, stderr: "" });
  const query = await bridle("query", "orders.revenue", "--by", "customers.city", "--csv");
  expect(query.stdout).toBe("city,revenue\nAthens,7\nBerlin,30.5\n");
  const again = await bridle("metrics", "import", "dbt");
  expect(again.stdout).toContain("context/models/orders.yaml: unchanged\n");
});

test("what has no column in the scan is refused with file and line, and the rest is written and passes the check", async () => {
  await put("dbt.yml", metricFlow);
  await bridle("context", "scan");
  const { code, stdout } = await bridle("metrics", "import", "dbt.yml");
  expect(code).toBe(1);
  expect(stdout).toContain("dbt.yml:12: refused measure taxes. There is no column");
  expect(await bridle("metrics", "validate")).toMatchObject({ code: 0 });
});

test("without a scan an import is written and says that nothing was compared", async () => {
  await put("dbt.yml", metricFlow);
  const { code, stderr } = await bridle("metrics", "import", "dbt.yml", "--schema", "main");
  expect({ code, stderr }).toMatchObject({ code: 0, stderr: expect.stringContaining("nothing has been scanned") });
  expect(await text("context/models/orders.yaml")).toContain("table: main.orders\n");
});

test("after a scan an import of a table that was not found does not say that nothing has been scanned", async () => {
  await put(
    "dbt.yml",
    whole.replaceAll("ref('orders')", "ref('sales')").replaceAll("ref('customers')", "ref('buyers')"),
  );
  await bridle("context", "scan");
  const { stdout, stderr } = await bridle("metrics", "import", "dbt.yml");
  expect(`${stdout}${stderr}`).not.toContain("nothing has been scanned");
  expect(stdout).toContain("sales");
});

test("an existing file is not replaced, and nothing is written, unless --force says so", async () => {
  await put("dbt.yml", metricFlow);
  await put("context/models/mine.yml", "name: orders\ntable: orders\n");
  const refused = await bridle("metrics", "import", "dbt.yml");
  expect(refused).toMatchObject({ code: 3, stdout: "" });
  expect(refused.stderr).toContain(
    "context/models/mine.yml exists already, with another content. Nothing was written.",
  );
  await expect(text("context/models/customers.yaml")).rejects.toThrow("ENOENT");
  const shown = await bridle("metrics", "import", "dbt.yml", "--dry-run");
  expect(shown.stdout).toContain("context/models/mine.yml: would be replaced\nname: orders\n");
  expect(await text("context/models/mine.yml")).toBe("name: orders\ntable: orders\n");
  expect(await bridle("metrics", "import", "dbt.yml", "--force")).toMatchObject({ code: 0 });
  expect(await text("context/models/mine.yml")).toContain("revenue");
});

test("a link in the place of a model's file is replaced, and what it leads to stays", async () => {
  await put("dbt.yml", metricFlow);
  await put("elsewhere.txt", "mine");
  await mkdir(join(cwd, "context/models"), { recursive: true });
  await symlink(join(cwd, "elsewhere.txt"), join(cwd, "context/models/orders.yaml"));
  expect(await bridle("metrics", "import", "dbt.yml")).toMatchObject({ code: 3 });
  expect(await bridle("metrics", "import", "dbt.yml", "--force")).toMatchObject({ code: 0 });
  expect(await text("elsewhere.txt")).toBe("mine");
});

test("a folder of models that is a link out of the project is refused", async () => {
  await put("project/bridle.yaml", "llm: { provider: { backend: none } }\n");
  await put("dbt.yml", metricFlow);
  await mkdir(join(cwd, "other"));
  await mkdir(join(cwd, "project/context"));
  await symlink(join(cwd, "other"), join(cwd, "project/context/models"));
  const { code, stderr } = await bridle("metrics", "import", "dbt.yml", "--project-dir", "project");
  expect({ code, stderr }).toMatchObject({ code: 3, stderr: expect.stringContaining("leads out of the project") });
  await expect(text("other/orders.yaml")).rejects.toThrow("ENOENT");
});

const bomb = `a: &a [1, 1, 1, 1, 1, 1, 1, 1, 1, 1]\n${["b", "c", "d", "e", "f", "g", "h"]
  .map((name, index) => `${name}: &${name} [${`*${"abcdefg"[index]},`.repeat(10)}]`)
  .join("\n")}\nsemantic_models: *h\n`;

test.each<[string, string | Uint8Array, string]>([
  ["an empty file", "", "has no models of a known format. Name the format with --from: metricflow, osi"],
  ["a file of another kind", "hello: [1]\n", "has no models of a known format"],
  ["a file that is not UTF-8", Uint8Array.of(0x61, 0xff, 0xfe, 0x00), "it is not text in UTF-8"],
  ["aliases that expand without end", bomb, "has no models of a known format"],
  ["an alias of itself", "a: &a { semantic_models: [*a] }\n", "has no models of a known format"],
  ["files of two formats", `${metricFlow}\n---\nsemantic_model: [{ name: a }]\n`, "has files of several formats"],
  ["more than 4 MB", `# ${"x".repeat(4_000_000)}\n${metricFlow}`, "more than 4 MB"],
])("%s is refused without a change", async (_what, content, message) => {
  await put("file.yml", content);
  const { code, stdout, stderr } = await bridle("metrics", "import", "file.yml");
  expect({ code, stdout, stderr }).toEqual({ code: 3, stdout: "", stderr: expect.stringContaining(message) });
});

test("an alias that cannot be expanded is refused with its file, and the other files are imported", async () => {
  await put("dbt/a.yml", bomb);
  await put("dbt/b.yml", metricFlow);
  const { code, stdout } = await bridle("metrics", "import", "dbt", "--json");
  const { findings, counts } = JSON.parse(stdout);
  expect({ code, findings, counts }).toMatchObject({
    code: 1,
    findings: [{ kind: "refused", file: "dbt/a.yml", reason: expect.stringContaining("alias") }],
    counts: { models: 2, refused: 1 },
  });
});

test("names that are SQL are refused with their lines, and reach no file", async () => {
  await put("dbt.yml", metricFlow.replace("name: revenue, agg", "name: 'x\"; drop table orders', agg"));
  const { code, stdout } = await bridle("metrics", "import", "dbt.yml");
  expect(code).toBe(1);
  expect(stdout).toContain('dbt.yml:11: refused measure x"; drop table orders. name: is not a valid name.');
  expect(await text("context/models/orders.yaml")).not.toContain("drop");
});

test.each([
  [["missing"], 3, "missing does not exist"],
  [["dbt.yml", "--from", "metricfow"], 3, 'Did you mean "metricflow"?'],
  [["dbt.yml", "--connection", "shp"], 3, 'There is no connection shp. Did you mean "shop"?'],
  [[], 2, "The path is missing"],
])("bridle metrics import %j ends with its reason", async (words, code, message) => {
  await put("dbt.yml", metricFlow);
  const ended = await bridle("metrics", "import", ...words);
  expect({ code: ended.code, stderr: ended.stderr }).toEqual({ code, stderr: expect.stringContaining(message) });
});
