import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { NetworkError, StoppedError } from "@bridle/protocol";
import { expect, onTestFinished, test } from "vitest";
import { createShop } from "../../tests/support/shop.ts";
import { SqliteWarehouse } from "../../tests/support/sqlite-warehouse.ts";
import type { JoinFacts } from "../facts/facts.ts";
import { openFacts } from "../facts/open-facts.ts";
import { scan } from "./scan.ts";
import type { ScanOptions, ScanProgress } from "./scan-options.ts";

test("a scan finds tables, profiles, keys and joins, declared or not", async () => {
  const shop = open();
  const report = await shop.scan();
  expect(report).toMatchObject({ connection: "w", tables: 5, measured: 5, problems: [], missing: [], drift: [] });
  const { reader } = shop.facts;
  expect(linksOf(reader.joins())).toEqual([
    "order_lines.order_id → orders.order_id found accepted",
    "order_lines.product_id → products.product_id declared accepted",
    "orders.customer_id → customers.customer_id found accepted",
  ]);
  expect(reader.table("w.main.orders")?.key).toMatchObject({ columns: ["order_id"], declared: false });
  expect(reader.table("w.main.products")?.key).toEqual({ columns: ["product_id"], declared: true, score: 1 });
  expect(reader.table("w.main.order_lines")?.key).toMatchObject({ columns: ["order_id", "line_no"] });
  expect(reader.table("w.main.orders")).toMatchObject({ rows: 200, rowsAreExact: true, sample: "all rows" });
  const columns = reader.table("w.main.orders")?.columns;
  expect(columns?.map(({ name, profile }) => [name, profile?.nulls, profile?.distinct])).toEqual([
    ["order_id", 0, 200],
    ["customer_id", 0, 60],
    ["ordered_on", 0, 84],
    ["note", 40, 17],
  ]);
  expect(columns?.[2]?.profile).toMatchObject({ min: "2024-01-01", max: "2024-12-28" });
  expect(columns?.[3]?.profile?.shapes).toEqual([
    { shape: "a+ 9", rows: 96 },
    { shape: "a+ 9+", rows: 64 },
  ]);
  expect(reader.connections()).toMatchObject([
    { name: "w", server: "SQLite 3", tables: 5, joins: 3, unfinished: false },
  ]);
});

test("no value of a sensitive column, nor a hash of one, is in the database of facts", async () => {
  const shop = open({ marked: { "customers.city": true } });
  await shop.scan();
  const contact = shop.column("customers", "contact");
  expect(contact).toMatchObject({ sensitive: "email", profile: { rows: 60, distinct: 60, frequent: [] } });
  expect(contact?.profile?.min).toBeUndefined();
  expect(shop.column("customers", "city")).toMatchObject({ sensitive: "marked" });
  expect(shop.column("customers", "city")?.profile).toBeUndefined();
  expect(shop.warehouse.statements.filter((sql) => sql.includes('"city"'))).toEqual([]);
  expect([...shop.warehouse.sensitive].sort()).toEqual(["customers.city", "customers.contact"]);
  shop.facts.close();
  const stored = ["", "-wal"].map((end) => readIfThere(shop.factsFile + end)).join("");
  expect(stored.includes("mail-")).toBe(false);
  expect(stored.includes("City")).toBe(false);
  expect(stored.includes("Customer 1")).toBe(true);
});

test("a column that the settings mark as not sensitive is profiled with its values", async () => {
  const shop = open({ marked: { "customers.contact": false } });
  await shop.scan();
  expect(shop.column("customers", "contact")?.sensitive).toBeUndefined();
  expect(shop.warehouse.sensitive.size).toBe(0);
});

test("a second scan of an unchanged warehouse reads no table and keeps the version of the facts", async () => {
  const shop = open();
  await shop.scan();
  const version = shop.facts.reader.version();
  const before = shop.warehouse.statements.length;
  const report = await shop.scan({ now: () => Date.UTC(2025, 2, 3) });
  expect(report).toMatchObject({ measured: 0, queries: 0, joins: 3, tables: 5, drift: [] });
  expect(shop.warehouse.statements.length).toBe(before);
  expect(shop.facts.reader.version()).toBe(version);
  expect(shop.facts.reader.connections()[0]?.scannedAt).toBe("2025-03-03T00:00:00.000Z");
  expect([...shop.warehouse.sensitive]).toEqual(["customers.contact"]);
});

test("only a changed table is read again, and only what depends on it is asked", async () => {
  const shop = open();
  await shop.scan();
  const before = shop.warehouse.statements.length;
  shop.warehouse.database.exec("INSERT INTO orders VALUES (99999, 555, '2025-01-01', NULL)");
  const report = await shop.scan();
  expect(report.measured).toBe(1);
  const asked = shop.warehouse.statements.slice(before);
  expect(asked.length).toBeGreaterThan(1);
  expect(asked.filter((sql) => !sql.includes('"orders"'))).toEqual([]);
  expect(report.drift).toEqual([]);
  expect(shop.facts.reader.joins("w.main.customers")[0]?.evidence).toMatchObject({ violations: 1, examples: ["555"] });
});

test("drift names tables, columns, types, keys, rows and joins that changed", async () => {
  const shop = open();
  await shop.scan();
  shop.warehouse.database.exec(`
    ALTER TABLE customers ADD COLUMN vip INTEGER;
    ALTER TABLE customers DROP COLUMN name;
    DROP TABLE empty_one;
    CREATE TABLE added (id INTEGER, label TEXT);
    DELETE FROM order_lines WHERE line_no > 2;
    UPDATE orders SET customer_id = 7000 + rowid * 13;
    INSERT INTO orders VALUES (95000, 1, '2024-01-01', '');
  `);
  const { drift } = await shop.scan();
  expect(drift.map(({ kind, subject }) => `${kind} ${subject}`)).toEqual(
    expect.arrayContaining([
      "table added w.main.added",
      "table removed w.main.empty_one",
      "column added w.main.customers.vip",
      "column removed w.main.customers.name",
      "rows changed w.main.order_lines",
    ]),
  );
  expect(drift.find(({ kind }) => kind === "join removed")?.detail).toBe(
    "w.main.orders (customer_id) → w.main.customers (customer_id)",
  );
  expect(shop.facts.reader.drift("w")).toEqual(drift);
  expect((await shop.scan()).drift).toEqual([]);
  shop.warehouse.hidden.add("customers");
  expect(JSON.stringify((await shop.scan()).drift)).not.toContain("customers");
  expect(shop.facts.reader.table("w.main.customers")).toBeUndefined();
});

test("a table that cannot be read is a problem, and the rest is scanned", async () => {
  const shop = open({
    onStatement: (sql) => {
      if (sql.includes('FROM "main"."empty_one"')) throw new Error("permission denied for table empty_one");
    },
  });
  shop.warehouse.database.exec("CREATE VIEW broken AS SELECT missing FROM customers");
  const report = await shop.scan();
  expect(report.problems).toEqual([
    { table: "w.main.broken", problem: expect.stringContaining("no such column") },
    { table: "w.main.empty_one", problem: "permission denied for table empty_one" },
  ]);
  expect(shop.facts.reader.table("w.main.broken")?.problem).toContain("no such column");
  expect(shop.facts.reader.table("w.main.empty_one")?.columns.map(({ name }) => name)).toEqual(["id", "customer_id"]);
  expect(report.measured).toBe(4);
  expect(shop.facts.reader.joins()).toHaveLength(3);
});

test("after a lost connection the scan connects again and ends with the same facts", async () => {
  const shop = open();
  await shop.scan();
  let statements = 0;
  const other = open({
    onStatement: () => {
      if (++statements === 3) throw new NetworkError("The connection was lost.");
    },
  });
  await other.scan({ reconnect: async () => new SqliteWarehouse(other.file) });
  expect([...other.facts.reader.tables()]).toEqual([...shop.facts.reader.tables()]);
  expect(other.facts.reader.joins()).toEqual(shop.facts.reader.joins());
});

test("a connection that stays lost ends the scan, and the next one continues it", async () => {
  let statements = 0;
  const shop = open({
    onStatement: () => {
      if (++statements >= 4) throw new NetworkError("The connection was lost.");
    },
  });
  await expect(shop.scan()).rejects.toThrow("The connection was lost.");
  expect(shop.facts.reader.connections()).toMatchObject([{ name: "w", unfinished: true, tables: 0 }]);
  const again = new SqliteWarehouse(shop.file);
  onTestFinished(() => again.close());
  const report = await scan(again, shop.facts, { now: () => Date.UTC(2026, 0, 1) });
  expect(report.measured).toBe(2);
  expect(shop.facts.reader.connections()).toMatchObject([{ unfinished: false, tables: 5, scannedAt: start }]);
});

test("a budget of queries is never exceeded, and the report says what is missing", async () => {
  const shop = open();
  const report = await shop.scan({ budget: { queries: 3 } });
  expect(report.queries).toBe(3);
  expect(report.missing[0]).toBe(
    "2 of 5 tables were not measured: The budget of 3 queries is used up. Scan again to continue.",
  );
  expect(shop.facts.reader.connections()[0]?.unfinished).toBe(true);
  expect([...shop.facts.reader.tables()].filter(({ problem }) => problem !== undefined)).toHaveLength(2);
  let scans = 1;
  for (; shop.facts.reader.connections()[0]?.unfinished === true && scans < 9; scans++) {
    expect((await shop.scan({ budget: { queries: 3 } })).queries).toBeLessThanOrEqual(3);
  }
  const whole = open();
  await whole.scan();
  expect(shop.facts.reader.joins()).toEqual(whole.facts.reader.joins());
  expect([...shop.facts.reader.tables()]).toEqual([...whole.facts.reader.tables()]);
});

test("a time budget ends the scan in time and says so", async () => {
  const shop = open();
  let time = 0;
  const report = await shop.scan({ now: () => (time += 10), budget: { timeMs: 100 } });
  expect(report.missing.join(" ")).toContain("The time budget of 100 ms is used up");
});

test("a scan asks at most four queries for each table and one for each join that it may report", async () => {
  const shop = open();
  const report = await shop.scan();
  const checks = shop.warehouse.statements.filter((sql) => sql.includes("AS orphans"));
  expect(report.queries - checks.length).toBeLessThanOrEqual(4 * report.tables);
  expect(checks.length).toBeLessThanOrEqual(report.joins + report.review + 3);
});

test("a large table of unknown size is counted, sampled, and its key is checked in all rows", async () => {
  const shop = open();
  const report = await shop.scan({ sampleRows: 70 });
  const orders = shop.facts.reader.table("w.main.order_lines");
  expect(orders).toMatchObject({ rows: 500, rowsAreExact: true, sample: "bernoulli 14 %, seed 7" });
  expect(orders?.key?.columns).toEqual(["order_id", "line_no"]);
  const own = shop.warehouse.statements.filter((sql) => sql.includes('"order_lines"') && !sql.includes("orphans"));
  expect(own.length).toBeLessThanOrEqual(4);
  expect(report.problems).toEqual([]);
});

test("if the keys of a large table cannot be counted in all rows, its profile is kept, and the next scan counts them", async () => {
  let fails = true;
  const shop = open({
    onStatement: (sql) => {
      if (fails && sql.includes('"order_lines"') && sql.includes("AS different")) throw new Error("out of memory");
    },
  });
  const report = await shop.scan({ sampleRows: 70 });
  expect(report).toMatchObject({ measured: 5, problems: [] });
  expect(report.missing).toEqual(["The keys of w.main.order_lines could not be counted in all rows: out of memory"]);
  const lines = shop.facts.reader.table("w.main.order_lines");
  expect(lines).toMatchObject({ rows: 500, sample: "bernoulli 14 %, seed 7" });
  expect(lines?.key).toBeUndefined();
  expect(lines?.problem).toBeUndefined();
  expect(shop.column("order_lines", "product_id")?.profile?.distinct).toBeGreaterThan(0);
  expect(linksOf(shop.facts.reader.joins())).toContain(
    "order_lines.product_id → products.product_id declared accepted",
  );
  fails = false;
  expect(await shop.scan({ sampleRows: 70 })).toMatchObject({ measured: 1, missing: [] });
  expect(shop.facts.reader.table("w.main.order_lines")?.key?.columns).toEqual(["order_id", "line_no"]);
});

test("a row filter limits what is measured", async () => {
  const shop = open({ filters: { orders: "customer_id < 130" } });
  await shop.scan();
  expect(shop.facts.reader.table("w.main.orders")?.rows).toBeLessThan(120);
});

test("progress goes through the phases and never goes back", async () => {
  const shop = open();
  const seen: ScanProgress[] = [];
  await shop.scan({ onProgress: (progress) => seen.push(progress) });
  const phases = ["structure", "tables", "columns", "scores", "links", "joins", "storing"];
  expect([...new Set(seen.map(({ phase }) => phase))]).toEqual(phases);
  for (const phase of ["columns", "scores", "links"]) {
    const own = seen.filter((each) => each.phase === phase).map(({ done }) => done);
    expect(own, phase).toEqual(own.toSorted((a, b) => a - b));
    expect(own.at(-1), phase).toBe(seen.find((each) => each.phase === phase)?.total);
  }
  const tables = seen.filter(({ phase }) => phase === "tables").map(({ done, total }) => [done, total]);
  expect(tables).toEqual([0, 1, 2, 3, 4, 5].map((done) => [done, 5]));
});

test.each(["columns", "scores", "links"] as const)(
  "a scan that is stopped while it counts %s ends there, and the next one finds the same as another",
  async (phase) => {
    const shop = open();
    const stop = new AbortController();
    const seen: ScanProgress[] = [];
    const onProgress = (progress: ScanProgress) => {
      seen.push(progress);
      if (progress.phase === phase && progress.done === 3) stop.abort();
    };
    await expect(shop.scan({ signal: stop.signal, onProgress })).rejects.toThrow(StoppedError);
    expect(seen.at(-1)).toMatchObject({ phase, done: 3 });
    expect(seen.at(-1)?.total).toBeGreaterThan(3);
    await shop.scan();
    const other = open();
    await other.scan();
    expect(shop.facts.reader.joins()).toEqual(other.facts.reader.joins());
    expect([...shop.facts.reader.tables()]).toEqual([...other.facts.reader.tables()]);
  },
);

test("a person's answers are kept by every later scan", async () => {
  const shop = open();
  const from = { table: "w.main.orders", columns: ["customer_id"] };
  const to = { table: "w.main.customers", columns: ["customer_id"] };
  const rejected = { from, to, status: "rejected", source: "person" } as const;
  await shop.scan({ decisions: [rejected] });
  expect(shop.facts.reader.joins("w.main.customers")).toEqual([]);
  const accepted = { from: { ...to, columns: ["city"] }, to: { table: "w.main.products", columns: ["title"] } };
  await shop.scan({ decisions: [rejected, { ...accepted, status: "accepted", source: "person" }] });
  expect(linksOf(shop.facts.reader.joins("w.main.customers"))).toEqual([
    "customers.city → products.title person accepted",
  ]);
  await shop.scan();
  expect(linksOf(shop.facts.reader.joins("w.main.customers"))).toEqual([
    "orders.customer_id → customers.customer_id found accepted",
  ]);
});

test("a model that proposes every pair of columns changes no accepted join", async () => {
  const shop = open();
  await shop.scan();
  const before = shop.facts.reader.joins().filter(({ status }) => status === "accepted");
  const ends = [...shop.facts.reader.tables()].flatMap(({ id, columns }) =>
    columns.map(({ name }) => ({ table: id, columns: [name] })),
  );
  const proposals = ends.flatMap((from) => ends.map((to) => ({ from, to, model: "nonsense" })));
  await shop.scan({ proposals });
  expect(shop.facts.reader.joins().filter(({ status }) => status === "accepted")).toEqual(before);
});

test("a proposal that the data support is accepted, and one that they contradict is not listed", async () => {
  const shop = open();
  shop.warehouse.database.exec(`
    CREATE TABLE zz (aa INTEGER, bb TEXT);
    INSERT INTO zz SELECT 5000 + 3 * (1 + rowid % 20), 'x' || rowid FROM orders;
  `);
  const from = { table: "w.main.zz", columns: ["aa"] };
  const good = Array.from(
    { length: 4 },
    (_, at) =>
      [
        {
          from: { table: "w.main.orders", columns: ["customer_id"] },
          to: { table: "w.main.customers", columns: ["customer_id"] },
        },
        {
          from: { table: "w.main.order_lines", columns: ["order_id"] },
          to: { table: "w.main.orders", columns: ["order_id"] },
        },
        {
          from: { table: "w.main.order_lines", columns: ["product_id"] },
          to: { table: "w.main.products", columns: ["product_id"] },
        },
        { from, to: { table: "w.main.products", columns: ["product_id"] } },
      ][at],
  ).flatMap((each) => (each === undefined ? [] : [{ ...each, model: "m" }]));
  const wrong = { from, to: { table: "w.main.customers", columns: ["customer_id"] }, model: "other" };
  await shop.scan({ proposals: [...good, wrong] });
  expect(linksOf(shop.facts.reader.joins("w.main.zz"))).toEqual([
    expect.stringMatching(/^zz.aa → products.product_id (model|found) accepted$/),
  ]);
});

test("a column that links to one of several tables, as another column says, is reported with its condition", async () => {
  const shop = open();
  shop.warehouse.database.exec(`
    CREATE TABLE remarks (remark_id INTEGER, subject_kind TEXT, subject_id INTEGER, body TEXT);
    INSERT INTO remarks SELECT 1 + rowid, 'Customer', customer_id, 'it''s ' || rowid FROM customers;
    INSERT INTO remarks SELECT 1001 + rowid, 'Product', product_id, 'about ' || rowid FROM products;
  `);
  await shop.scan();
  const own = shop.facts.reader.joins("w.main.remarks").filter(({ status }) => status === "accepted");
  expect(own.map(({ to, condition, evidence }) => [to.table, condition, evidence?.coverage])).toEqual([
    ["w.main.customers", "\"subject_kind\" = 'Customer'", 1],
    ["w.main.products", "\"subject_kind\" = 'Product'", 1],
  ]);
});

const start = "2025-01-01T00:00:00.000Z";

function open(settings: ConstructorParameters<typeof SqliteWarehouse>[1] = {}) {
  const folder = mkdtempSync(join(tmpdir(), "bridle-scan-"));
  const file = join(folder, "shop.sqlite");
  createShop(file);
  const warehouse = new SqliteWarehouse(file, settings);
  const factsFile = join(folder, "facts.sqlite");
  const facts = openFacts({ file: factsFile });
  onTestFinished(async () => {
    await warehouse.close();
    facts.close();
    rmSync(folder, { recursive: true, force: true });
  });
  return {
    file,
    factsFile,
    facts,
    warehouse,
    scan: (options: ScanOptions = {}) => scan(warehouse, facts, { now: () => Date.parse(start), ...options }),
    column: (table: string, column: string) =>
      facts.reader.table(`w.main.${table}`)?.columns.find(({ name }) => name === column),
  };
}

function linksOf(joins: readonly JoinFacts[]): string[] {
  const end = ({ table, columns }: JoinFacts["from"]) => `${table.slice("w.main.".length)}.${columns.join("+")}`;
  return joins
    .filter(({ status }) => status !== "review")
    .map(({ from, to, origin, status }) => `${end(from)} → ${end(to)} ${origin} ${status}`)
    .sort();
}

function readIfThere(file: string): string {
  try {
    return readFileSync(file, "latin1");
  } catch {
    return "";
  }
}

const kept = (from: readonly string[], to: readonly string[], status: "accepted" | "proposed"): ScanOptions => ({
  decisions: [
    {
      from: { table: `w.main.${from[0]}`, columns: from.slice(1) },
      to: { table: `w.main.${to[0]}`, columns: to.slice(1) },
      status,
      source: "model",
    },
  ],
});

test.each([
  ["accepted", "accepted", ["review"]],
  ["proposed", "review", []],
] as const)(
  "a join that a model %s and a file keeps is judged by the data of each scan",
  async (status, now, later) => {
    const shop = open();
    shop.warehouse.database.exec(`
    CREATE TABLE zz (aa INTEGER, bb TEXT);
    INSERT INTO zz SELECT 5000 + 3 * (1 + rowid % 3), 'x' || rowid FROM orders WHERE rowid <= 9;
  `);
    const decided = kept(["zz", "aa"], ["products", "product_id"], status);
    const own = () => shop.facts.reader.joins("w.main.zz").map((join) => [join.origin, join.status]);
    await shop.scan();
    await shop.scan(decided);
    expect(own()).toEqual([["model", now]]);
    shop.warehouse.database.exec("INSERT INTO zz VALUES (1, 'y'), (2, 'z')");
    await shop.scan(decided);
    expect(own().filter(([origin]) => origin === "model")).toEqual(later.map((each) => ["model", each]));
  },
);
