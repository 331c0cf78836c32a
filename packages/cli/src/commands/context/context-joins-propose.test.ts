import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { createRuntime } from "@bridle/project";
import { afterEach, beforeEach, expect, test } from "vitest";
import { runCli } from "../../command/cli-for-tests.ts";

/** Tables are numbered as in the prompt: customers, orders, products, visits. */
const right = [
  '{ from: ["t2.c2"], to: ["t1.c1"], reason: Orders name a customer. }',
  '{ from: ["t2.c3"], to: ["t3.c1"], reason: Orders name a product. }',
];
const visits = '{ from: ["t4.c1"], to: ["t3.c1"], reason: A visit is about a product. }';
const nonsense = [
  '{ from: ["t1.c2"], to: ["t3.c1"], reason: x }',
  '{ from: ["t2.c1"], to: ["t1.c1"], reason: x }',
  '{ from: ["t4.c2"], to: ["t2.c2"], reason: x }',
  '{ from: ["t1.c9"], to: ["t77.c1"], reason: x }',
];

let cwd: string;
beforeEach(async () => {
  cwd = await mkdtemp(join(tmpdir(), "bridle-propose-command-"));
  const database = new DatabaseSync(join(cwd, "shop.db"));
  database.exec(`
    CREATE TABLE customers (customer_id INTEGER, name TEXT);
    CREATE TABLE orders (order_id INTEGER, customer_id INTEGER, product_id INTEGER);
    CREATE TABLE products (product_id INTEGER PRIMARY KEY, title TEXT);
    CREATE TABLE visits (aa INTEGER, bb TEXT);
    WITH n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 60) INSERT INTO customers SELECT 100 + i, 'Customer ' || i FROM n;
    WITH n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 40) INSERT INTO products SELECT 5000 + 3 * i, 'Product ' || i FROM n;
    WITH n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 200)
      INSERT INTO orders SELECT 90000 + i, 101 + (i * 7) % 60, 5003 + 3 * ((i * 11) % 40) FROM n;
    INSERT INTO visits VALUES (5003, 'a'), (5006, 'b'), (5003, 'c'), (5009, 'd'), (5009, 'e');
  `);
  database.close();
  await writeFile(join(cwd, "bridle.yaml"), "context: { connections: { shop: { type: sqlite, file: shop.db } } }\n");
});
afterEach(() => rm(cwd, { recursive: true }));

const bridle = (...words: string[]) => runCli(["context", ...words], { cwd, createRuntime });
const script = (joins: readonly string[]) =>
  writeFile(
    join(cwd, "script.yaml"),
    `rehearsal: 1\nturns:\n  - steps:\n      - object:\n          joins: ${joins.length === 0 ? "[]" : ""}\n${joins.map((each) => `            - ${each}\n`).join("")}`,
  );
const rehearsed = () => ["--backend", "anthropic", "--rehearse", join(cwd, "script.yaml")];
const propose = (...words: string[]) => bridle("joins", "propose", ...rehearsed(), ...words);
const tableFile = () => readFile(join(cwd, "context", "tables", "shop", "main.yaml"), "utf8");

test("a join that only a model sees is shown as a difference, written, and judged by every later scan", async () => {
  await bridle("scan");
  await script([...right, visits]);
  const shown = await propose("--dry-run");
  expect(shown).toMatchObject({ code: 0, stderr: "Nothing was written.\n" });
  expect(shown.stdout).toMatch(/^shop: 3 proposals \(2 known before\); 1 call, [\d,]+ tokens, \d+ queries\n/);
  expect(shown.stdout).toContain(
    "  accepted: shop.main.visits.aa → shop.main.products.product_id. All 5 rows with a value have a parent. The model says: A visit is about a product.\n",
  );
  expect(shown.stdout).toContain("context/tables/shop/main.yaml\n@@ line 1 @@\n");
  expect(shown.stdout).toContain("+    to: shop.main.products.product_id\n+    status: accepted\n");
  await expect(tableFile()).rejects.toThrow("ENOENT");

  expect(await propose("--yes")).toMatchObject({ code: 0, stderr: expect.stringContaining("Written.") });
  expect(await tableFile()).toContain("source: model");
  expect(await tableFile()).not.toContain("A visit is about");
  const listed = async () => JSON.parse((await bridle("joins", "--table", "visits", "--json")).stdout).joins;
  const before = await listed();
  expect(before).toMatchObject([{ origin: "model", status: "accepted" }]);
  await bridle("scan");
  expect(await listed()).toMatchObject([
    { id: before[0].id, origin: "model", status: "accepted", evidence: { coverage: 1, violations: 0 } },
  ]);
  const again = await propose("--yes");
  expect(again).toMatchObject({ code: 0, stderr: "There is nothing to write.\n" });
  expect(again.stdout).toContain("3 proposals (3 known before)");

  const database = new DatabaseSync(join(cwd, "shop.db"));
  database.exec("INSERT INTO visits VALUES (1, 'f'), (2, 'g')");
  database.close();
  await bridle("scan");
  expect(await listed()).toMatchObject([{ origin: "model", status: "review", evidence: { violations: 2 } }]);
});

test("of a model that proposes nonsense nothing is accepted, and each reason is shown", async () => {
  await bridle("scan");
  const before = (await bridle("joins", "--json")).stdout;
  await script([...nonsense, visits]);
  const { code, stdout } = await propose("--yes", "--json");
  expect(code).toBe(0);
  const [{ joins }] = JSON.parse(stdout).proposals;
  expect(joins.map((each: { outcome: string; reason: string }) => [each.outcome, each.reason])).toEqual([
    ["refuted", "60 of 60 rows with a value have no parent."],
    ["refuted", "200 of 200 rows with a value have no parent."],
    ["refuted", "The columns of the second table do not identify its rows."],
    ["refuted", "It names a table or column that the scan did not find."],
    [
      "review",
      "All 5 rows with a value have a parent. Too few proposals of this model are supported to accept it without a person.",
    ],
  ]);
  expect(await tableFile()).toContain("status: proposed");
  const accepted = (text: string) =>
    JSON.parse(text).joins.filter((each: { status: string }) => each.status === "accepted");
  await bridle("scan");
  const now = (await bridle("joins", "--json")).stdout;
  expect(accepted(now)).toEqual(accepted(before));
  const [review] = JSON.parse((await bridle("joins", "--review", "--json")).stdout).joins;
  expect(review).toMatchObject({ origin: "model", from: { table: "shop.main.visits" } });
  await bridle("joins", "accept", review.id);
  await bridle("scan");
  expect((await bridle("joins", "--table", "visits")).stdout).toMatch(/person, no row without a parent/);
});

test("a join that a person rejected stays rejected, whatever a model proposes", async () => {
  await bridle("scan");
  const [{ id }] = JSON.parse((await bridle("joins", "--table", "products", "--json")).stdout).joins;
  await bridle("joins", "reject", id);
  await script([...right, visits]);
  const { stdout } = await propose("--yes", "--json");
  expect(JSON.parse(stdout).proposals[0].joins[1]).toMatchObject({
    outcome: "refuted",
    reason: "It was rejected by a person.",
  });
  expect(await tableFile()).toMatch(/status: rejected/);
});

test("an answer with far too many proposals is not considered, which the exit code and the list say", async () => {
  await bridle("scan");
  await script(Array.from({ length: 60 }, () => right[0] ?? ""));
  const { code, stdout, stderr } = await propose("--yes");
  expect(code).toBe(1);
  expect(stdout).toMatch(/^shop: 0 proposals/);
  expect(stderr).toContain("not asked: shop.main.orders: the model proposed 60 joins for 9 columns");
  await expect(tableFile()).rejects.toThrow("ENOENT");
});

test("on a terminal it shows the difference and asks, and without one it says which option is missing", async () => {
  await bridle("scan");
  await script([...right, visits]);
  const words = ["context", "joins", "propose", ...rehearsed()];
  const no = await runCli(words, { cwd, createRuntime, typed: ["n"] });
  expect(no).toMatchObject({ code: 1, stderr: "Write this? [y/N] Nothing was written.\n" });
  expect(no.stdout).toContain("+    status: accepted");
  await expect(tableFile()).rejects.toThrow("ENOENT");
  const yes = await runCli(words, { cwd, createRuntime, typed: ["y"] });
  expect(yes.code).toBe(0);
  expect(await tableFile()).toContain("status: accepted");
  expect(await propose()).toMatchObject({ code: 2, stderr: expect.stringContaining("Add --yes, or --dry-run") });
});

test("without a model, a scan or a connection, one sentence says what is missing", async () => {
  await script([]);
  expect(await propose("--yes")).toMatchObject({
    code: 3,
    stderr: 'The connection shop has not been scanned. Run "bridle context scan shop" first.\n',
  });
  await bridle("scan");
  const none = await bridle("joins", "propose", "--yes", "--backend", "none");
  expect(none).toMatchObject({ code: 3, stdout: "" });
  expect(none.stderr.trim().split("\n")).toHaveLength(1);
  expect(await propose("shopp", "--yes")).toMatchObject({ code: 3, stderr: expect.stringContaining('"shop"?') });
  await writeFile(join(cwd, "script.yaml"), "rehearsal: 1\nturns: [{ steps: [{ status: 401 }] }]\n");
  const refused = await propose("--yes");
  expect([refused.code, refused.stderr.trim().split("\n").length]).toEqual([4, 1]);
});
