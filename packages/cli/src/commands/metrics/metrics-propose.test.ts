import { cp, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { pathToFileURL } from "node:url";
import { createRuntime } from "@bridle/project";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { z } from "zod";
import { runCli } from "../../command/cli-for-tests.ts";

const demo = new URL("../../../../bridle/demo/context/company.js", import.meta.url);
const { writeCompany } = z
  .object({ writeCompany: z.custom<(file: string) => void>((value) => typeof value === "function") })
  .parse(await import(pathToFileURL(demo.pathname).href));

/** A project with a scanned database. Each test gets a copy, because a scan takes longer than most tests. */
let scanned: string;
beforeAll(async () => {
  scanned = await mkdtemp(join(tmpdir(), "bridle-propose-metrics-"));
  writeCompany(join(scanned, "roaster.db"));
  await configure("", scanned);
  await runCli(["context", "scan"], { cwd: scanned });
});
afterAll(() => rm(scanned, { recursive: true }));

let cwd: string;
beforeEach(async () => {
  cwd = await mkdtemp(join(tmpdir(), "bridle-propose-metrics-"));
  await cp(join(scanned, "roaster.db"), join(cwd, "roaster.db"));
  await configure();
});
afterEach(() => rm(cwd, { recursive: true }));

const configure = (scan = "", folder = cwd) =>
  writeFile(
    join(folder, "bridle.yaml"),
    `context: { ${scan}connections: { roaster: { type: sqlite, file: roaster.db } } }\n`,
  );
const bridle = (...words: string[]) => runCli(words, { cwd, createRuntime });
const scan = () => cp(join(scanned, ".bridle"), join(cwd, ".bridle"), { recursive: true });
const propose = (...words: string[]) => bridle("metrics", "propose", ...words);
const modelFile = (name: string) => join(cwd, "context", "models", `${name}.yaml`);
const read = (name: string) => readFile(modelFile(name), "utf8");

function change(sql: string): void {
  using database = new DatabaseSync(join(cwd, "roaster.db"));
  database.exec(sql);
}

describe("without a model", () => {
  test("models are drafted with the value of each measure, are right, and are not proposed again", async () => {
    await scan();
    const shown = await propose("--dry-run");
    expect(shown).toMatchObject({ code: 0 });
    expect(shown.stdout).toMatch(/^order_lines\.total_qty +sum of qty +4471 +1 to 3, 0 of 2,225 missing$/m);
    expect(shown.stdout).toMatch(/^orders\.count +count of rows +900$/m);
    expect(shown.stdout).toContain("context/models/orders.yaml\n@@ line 1 @@\n+name: orders\n");
    expect(shown.stderr).toContain(
      "roaster.main.customers.email is sensitive (email), so it is neither a dimension nor a measure.\n",
    );
    expect(shown.stderr).toMatch(/Nothing was written\.\n$/);
    await expect(readdir(join(cwd, "context"))).rejects.toThrow("ENOENT");

    expect(await propose("--yes")).toMatchObject({ code: 0, stderr: expect.stringContaining("Written.") });
    expect(await bridle("metrics", "validate")).toMatchObject({ code: 0, stderr: "" });
    const texts = await Promise.all(
      (await readdir(join(cwd, "context", "models"))).map((file) => read(file.slice(0, -5))),
    );
    expect(texts.join("\n")).not.toMatch(/email|phone|iban|@/);
    const asked = await bridle("query", "order_lines.total_qty", "--by", "products.title", "--json");
    expect(JSON.parse(asked.stdout).rows).toHaveLength(13); // including the revenue of deleted products
    const byMonth = await bridle("query", "orders.count", "--by", "orders.placed_at:year", "--json");
    expect(byMonth.code).toBe(0);
    expect(await propose("--yes")).toEqual({
      code: 0,
      stdout: "",
      options: undefined,
      stderr: "There is nothing to add.\n",
    });
  });

  test("what a person wrote or changed stays, and only what is new is added to it", async () => {
    await scan();
    await propose("--yes");
    const mine = (await read("orders"))
      .replace("name: orders\n", "name: sales # as we call them\ndescription: Ours.\n")
      .replace("  - name: channel\n", "  - { name: way, expr: channel }\n");
    await writeFile(modelFile("orders"), mine);
    for (const name of ["refunds", "shipments", "order_lines"])
      await writeFile(modelFile(name), (await read(name)).replace("to: orders", "to: sales"));
    change("ALTER TABLE orders ADD COLUMN tip DECIMAL(10,2); UPDATE orders SET tip = 1.5 WHERE order_no % 2 = 0;");
    await bridle("context", "scan");
    const { stdout } = await propose("--yes", "--json");
    expect(JSON.parse(stdout).models).toMatchObject([
      {
        name: "sales",
        file: "context/models/orders.yaml",
        isNew: false,
        dimensions: [],
        joins: [],
        measures: [{ name: "sales.total_tip", value: 675, column: { rows: 900, nulls: 450, min: "1.5", max: "1.5" } }],
      },
    ]);
    const now = await read("orders");
    expect(now).toContain("name: sales # as we call them\ndescription: Ours.\n");
    expect(now).toContain("{ name: way, expr: channel }");
    expect(now.split("\n").filter((line) => !mine.includes(line))).toEqual([
      "  - name: total_tip",
      "    agg: sum",
      "    expr: tip",
    ]);
    expect((await bridle("metrics", "validate")).code).toBe(0);
  });

  test("a key that the data contradict since the scan is left out with the count", async () => {
    await scan();
    change("INSERT INTO categories VALUES ('BEV', NULL, 'Drinks again')");
    const { stdout, stderr } = await propose("--dry-run", "--json");
    expect(stderr).toContain("Nothing was written.");
    const { models, notes } = JSON.parse(stdout);
    expect(notes).toContain(
      "categories was left out: The primary key of categories is not unique: 1 key occurs more than once, or with NULL.",
    );
    const categories = models.find(({ name }: { name: string }) => name === "categories");
    expect(categories.difference).not.toContain("+primary_key:");
    expect(categories.joins).toEqual([]);
  });

  test("one table is drafted with those that its joins lead to", async () => {
    await scan();
    const { stdout } = await propose("refunds", "--dry-run", "--json");
    const names = JSON.parse(stdout).models.map(({ name }: { name: string }) => name);
    expect(names.toSorted()).toEqual(["addresses", "customers", "orders", "refunds"]);
    expect(await propose("refnds", "--dry-run")).toMatchObject({ code: 3, stderr: expect.stringContaining("refunds") });
  });

  test("without a scan, a terminal or right files, one sentence says what is missing", async () => {
    expect(await propose("--yes")).toMatchObject({
      code: 3,
      stderr: 'Nothing has been scanned. Run "bridle context scan" first.\n',
    });
    expect(await propose()).toMatchObject({ code: 2, stderr: expect.stringContaining("Add --yes, or --dry-run") });
    expect(await propose("--yes", "--backend", "anthropic")).toMatchObject({ code: 2 });
    await scan();
    await propose("--yes");
    await writeFile(modelFile("orders"), "name: orders\ntable: orders\ntabel: orders\n");
    const wrong = await propose("--yes");
    expect(wrong).toMatchObject({ code: 3, stdout: "" });
    expect(wrong.stderr).toMatch(/^context\/models\/orders\.yaml:3:1: Unknown key "tabel"/);
  });

  test("a file that changes while the question is open is not overwritten", async () => {
    await scan();
    const asked = runCli(["metrics", "propose", "refunds"], { cwd, createRuntime, typed: ["n"] });
    expect(await asked).toMatchObject({
      code: 1,
      stderr: expect.stringContaining("Write this? [y/N] Nothing was written."),
    });
    await propose("refunds", "--yes");
    const before = await read("refunds");
    await writeFile(modelFile("refunds"), `${before}# mine\n`);
    await propose("--yes");
    expect(await read("refunds")).toContain("# mine");
  });
});

const script = `rehearsal: 1
turns:
  - when: { user: /t1 order_lines/ }
    steps:
      - object:
          models:
            - model: t1
              description: One line of an order.
              dimensions: []
              measures:
                - { measure: m1, agg: keep, keep: false, name: "", description: "" }
                - { measure: m2, agg: keep, keep: true, name: units_sold, description: Sold units. }
                - { measure: m3, agg: max, keep: true, name: "Highest Price!", description: "" }
                - { measure: m4, agg: keep, keep: false, name: "", description: "" }
                - { measure: m99, agg: sum, keep: true, name: invented, description: Nothing. }
              ratios:
                - { name: units_per_line, numerator: m2, denominator: m1, description: Units of a line. }
                - { name: nonsense, numerator: m2, denominator: m98, description: "" }
            - { model: t77, description: x, dimensions: [], measures: [], ratios: [] }
`;
const withModel = (...words: string[]) =>
  propose("order_lines", "--describe", "--backend", "anthropic", "--rehearse", join(cwd, "script.yaml"), ...words);

describe("with --describe", () => {
  test("the model chooses, names and describes, and what it names wrongly has no effect", async () => {
    await scan();
    await writeFile(join(cwd, "script.yaml"), script);
    const { code, stdout } = await withModel("--yes", "--json");
    expect(code).toBe(0);
    const proposed = JSON.parse(stdout);
    expect(proposed).toMatchObject({ done: true, calls: 1, failed: [] });
    const lines = proposed.models.find(({ name }: { name: string }) => name === "order_lines");
    const values = lines.measures.map((each: { name: string; value: unknown }) => [each.name, Number(each.value)]);
    expect(values).toEqual([
      ["order_lines.count", 2225],
      ["order_lines.units_sold", 4471],
      ["order_lines.avg_unit_price", 1290],
      ["order_lines.distinct_products", 13],
      ["order_lines.units_per_line", 4471 / 2225],
    ]);
    const text = await read("order_lines");
    expect(text).toContain("description: One line of an order.\n");
    expect(text).toContain("  - name: units_sold\n    agg: sum\n    expr: qty\n    description: Sold units.\n");
    expect(text).not.toMatch(/invented|Highest|nonsense/);
    expect((await bridle("metrics", "validate")).code).toBe(0);
    const events = (await bridle("events", "--json")).stdout;
    expect(events).toContain("t1 order_lines");
    expect(events).not.toMatch(/CF-ETH|mail\.example/);
  });

  test("a draft that the budget of tokens leaves out is as without a model, and named", async () => {
    await scan();
    await configure("scan: { tokens: 50 }, ");
    await writeFile(join(cwd, "script.yaml"), script);
    const { code, stdout } = await withModel("--yes", "--json");
    expect(code).toBe(1);
    const { failed, calls, models } = JSON.parse(stdout);
    expect(calls).toBe(0);
    expect(failed).toContainEqual({
      table: "roaster.main.order_lines",
      reason: "the budget of tokens is used up",
    });
    expect(JSON.stringify(models)).toContain("order_lines.total_qty");
  });

  test("a model that never answers ends with its error, and nothing is written", async () => {
    await scan();
    await writeFile(join(cwd, "script.yaml"), "rehearsal: 1\nturns: [{ steps: [{ status: 401 }] }]\n");
    const { code, stdout, stderr } = await withModel("--yes");
    expect([code, stdout, stderr.trim().split("\n").length]).toEqual([4, "", 1]);
    const none = await propose("--describe", "--backend", "none", "--yes");
    expect(none).toMatchObject({ code: 3, stdout: "" });
    expect(none.stderr.trim().split("\n")).toHaveLength(1);
    await expect(readdir(join(cwd, "context"))).rejects.toThrow("ENOENT");
  });
});
