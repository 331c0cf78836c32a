import { cp, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import { z } from "zod";
import { runCli } from "../../command/cli-for-tests.ts";

const demo = new URL("../../../../bridle/demo/context/company.js", import.meta.url);
const { writeCompany } = z
  .object({ writeCompany: z.custom<(file: string) => void>((value) => typeof value === "function") })
  .parse(await import(pathToFileURL(demo.pathname).href));

const log = [
  {
    query: `SELECT sum(l.qty * l.unit_price) AS sales FROM order_lines l JOIN orders o ON o.order_no = l.order_no
      WHERE o.status = 'done' AND o.channel <> 'test'`,
    calls: 120,
  },
  {
    query: `SELECT strftime('%Y-%m', placed_at) m, count(*) FROM orders
      WHERE status = 'done' AND channel <> 'test' AND placed_at >= '2025-01-01' GROUP BY 1`,
    calls: 94,
  },
  {
    query:
      "SELECT country, count(DISTINCT buyer_no) buyers FROM orders JOIN customers ON cust_no = buyer_no GROUP BY 1",
    calls: 12,
  },
  { query: "SELECT full_name FROM customers WHERE email = 'c10001@mail.example' AND country = 'DE'", calls: 40 },
  { query: "SELECT max(qty), avg(qty) FROM order_lines WHERE sku = 'GR-HAND'", calls: 15 },
  { query: "SELECT count(*) FROM orders WHERE status = 'shipped'", calls: 9 },
  { query: "DELETE FROM orders" },
];

/** A project with a scanned database. Each test gets a copy, because a scan takes longer than most tests. */
let scanned: string;
beforeAll(async () => {
  scanned = await mkdtemp(join(tmpdir(), "bridle-propose-history-"));
  writeCompany(join(scanned, "roaster.db"));
  await writeFile(
    join(scanned, "bridle.yaml"),
    "context: { connections: { roaster: { type: sqlite, file: roaster.db } } }\n",
  );
  await writeFile(join(scanned, "log.jsonl"), log.map((line) => JSON.stringify(line)).join("\n"));
  await runCli(["context", "scan"], { cwd: scanned });
});
afterAll(() => rm(scanned, { recursive: true }));

let cwd: string;
beforeEach(async () => {
  cwd = await mkdtemp(join(tmpdir(), "bridle-propose-history-"));
  await cp(scanned, cwd, { recursive: true });
});
afterEach(() => rm(cwd, { recursive: true }));

const bridle = (...words: string[]) => runCli(words, { cwd });
const propose = (...words: string[]) => bridle("metrics", "propose", "--history", "log.jsonl", ...words);
const read = (name: string) => readFile(join(cwd, "context", "models", `${name}.yaml`), "utf8");

test("statements that ran add measures, segments and times, with how often they are used", async () => {
  const shown = await propose("--dry-run");
  expect(shown).toMatchObject({ code: 0 });
  expect(shown.stdout).toMatch(/^order_lines\.sales +sum of qty \* unit_price +804201.6 +120 times in 1 statement$/m);
  expect(shown.stdout).toMatch(/^orders\.buyers +count distinct of buyer_no +156 +12 times in 1 statement/m);
  expect(shown.stdout).toMatch(
    /^orders\.channel_not_test_and_status_done +channel <> 'test' AND status = 'done' +798 +214 times in 2 statements$/m,
  );
  expect(shown.stdout).toMatch(/^group +customers\.country +12 times in 1 statement$/m);
  expect(shown.stdout).toMatch(/^join +order_lines\.orders +120 times in 1 statement$/m);
  expect(shown.stdout).toContain(
    "Query history of roaster from log.jsonl: 6 statements that ran 290 times; 1 statement named no table or could not be read.",
  );
  expect(shown.stderr).toContain(
    "order_lines.qty is aggregated by max and avg in statements, so its sum was left out.",
  );
  expect(shown.stderr).toContain("orders.status_shipped was left out: It selects no row.");
});

test("what is written is right, and has no value of a sensitive column", async () => {
  expect(await propose("--yes")).toMatchObject({ code: 0 });
  expect(await bridle("metrics", "validate")).toMatchObject({ code: 0, stderr: "" });
  const [orders, customers] = [await read("orders"), await read("customers")];
  expect(orders).toContain("default_time: placed_at");
  expect(customers).toContain("country = 'DE'");
  expect(customers).not.toMatch(/email|10001/);
  const query = ["query", "order_lines.sales", "--segment", "orders.channel_not_test_and_status_done", "--csv"];
  expect((await bridle(...query)).stdout).toBe("sales\n740468.3\n");
  const again = await propose("--dry-run", "--json");
  expect(JSON.parse(again.stdout)).toMatchObject({ models: [], history: [{ statements: 6, runs: 290, unread: 1 }] });
});

test("a state is added up over items, and not over time", async () => {
  const { models } = JSON.parse((await propose("stock_counts", "--dry-run", "--json")).stdout);
  const stock = models.find(({ name }: { name: string }) => name === "stock_counts");
  expect(stock.measures.map(({ formula, value }: Record<string, unknown>) => [formula, value])).toContainEqual([
    "sum of units, the last of counted_on",
    284,
  ]);
  expect(JSON.stringify(stock.measures)).not.toContain('"sum of units"');
});

test.each([
  ["missing.csv", "cannot be read (ENOENT)"],
  ["bridle.yaml", "ends with .csv, .jsonl or .json"],
])("the query log %s is refused with the reason", async (file, reason) => {
  const result = await bridle("metrics", "propose", "--history", file, "--dry-run");
  expect(result).toMatchObject({ code: 3, stdout: "" });
  expect(result.stderr).toContain(reason);
});
