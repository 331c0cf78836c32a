import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { createRuntime } from "@bridle/project";
import { afterEach, beforeEach, expect, test } from "vitest";
import { runCli } from "../../command/cli-for-tests.ts";

const script = `rehearsal: 1
turns:
  - when: { user: /zqx_parcel/ }
    steps:
      - object:
          tables:
            - table: t1
              description: One row for each parcel that leaves the warehouse.
              columns: [{ column: c1, description: The number on the label. }]
            - { table: t2, description: Who brings the parcels., columns: [] }
`;

let cwd: string;
beforeEach(async () => {
  cwd = await mkdtemp(join(tmpdir(), "bridle-describe-command-"));
  const database = new DatabaseSync(join(cwd, "shop.db"));
  database.exec(`
    CREATE TABLE zqx_parcel (no INTEGER, contact TEXT);
    CREATE TABLE zqy_driver (id INTEGER);
    INSERT INTO zqx_parcel VALUES (1, 'ann@mail.example'), (2, 'ann@mail.example');
    INSERT INTO zqy_driver VALUES (1);
  `);
  database.close();
  await writeFile(join(cwd, "script.yaml"), script);
  await configure();
});
afterEach(() => rm(cwd, { recursive: true }));

const configure = (scan = "") =>
  writeFile(join(cwd, "bridle.yaml"), `context: { ${scan}connections: { shop: { type: sqlite, file: shop.db } } }\n`);
const bridle = (...words: string[]) => runCli(["context", ...words], { cwd, createRuntime });
const describeTables = (...words: string[]) =>
  bridle("scan", "--describe", "--backend", "anthropic", "--rehearse", join(cwd, "script.yaml"), ...words);
const descriptionsOf = ({ stdout }: { readonly stdout: string }) => JSON.parse(stdout).scans[0].descriptions;

test("a scan with --describe lets the model describe tables, which show and search then know, and asks nothing again", async () => {
  const first = await describeTables();
  expect(first).toMatchObject({ code: 0, stderr: "" });
  expect(first.stdout).toMatch(/^ {2}described 2 tables; 1 call, [\d,]+ tokens$/m);
  const shown = (await bridle("show", "zqx_parcel")).stdout;
  expect(shown).toContain("One row for each parcel that leaves the warehouse. (model)");
  expect(shown).toContain("The number on the label.");
  const found = JSON.parse((await bridle("search", "label leaves warehouse", "--json")).stdout);
  expect(found.tables[0]).toMatchObject({ id: "shop.main.zqx_parcel", description: expect.stringContaining("leaves") });
  const second = descriptionsOf(await describeTables("--json"));
  expect(second).toEqual({ described: 0, unchanged: 2, calls: 0, tokens: 0, failed: [] });
});

test("the model sees no sensitive value, and only a table that changed is described again", async () => {
  await describeTables();
  const database = new DatabaseSync(join(cwd, "shop.db"));
  database.exec("ALTER TABLE zqx_parcel ADD COLUMN weight INTEGER");
  database.close();
  expect(descriptionsOf(await describeTables("--json"))).toMatchObject({ described: 1, unchanged: 1, calls: 1 });
  const events = await runCli(["events", "--json"], { cwd });
  expect(events.stdout).toContain("zqx_parcel");
  expect(events.stdout).not.toContain("ann@mail.example");
});

test("a model that fails is reported with each table and exit code 1, and the scan is kept", async () => {
  await writeFile(join(cwd, "script.yaml"), "rehearsal: 1\nturns: [{ steps: [{ status: 400 }] }]\n");
  const { code, stdout } = await describeTables();
  expect(code).toBe(1);
  expect(stdout).toMatch(/^shop: 2 tables \(all read\)/);
  expect(stdout).toMatch(/^ {2}not described {2}shop\.main\.zqx_parcel: \S/m);
  expect((await bridle("show", "zqx_parcel")).code).toBe(0);
});

test("the budget of tokens in bridle.yaml is never exceeded, and what it left out is named", async () => {
  await configure("scan: { tokens: 50 }, ");
  const result = await describeTables("--json");
  expect(result.code).toBe(1);
  const left = { reason: "the budget of tokens is used up" };
  expect(descriptionsOf(result)).toMatchObject({ described: 0, calls: 0, tokens: 0, failed: [left, left] });
});

test("a scan without --describe calls no model, and refuses to name one", async () => {
  expect(descriptionsOf(await bridle("scan", "--json"))).toBeUndefined();
  const refused = await bridle("scan", "--rehearse", "script.yaml");
  expect(refused).toMatchObject({ code: 2, stdout: "" });
  expect(refused.stderr).toContain("Add --describe.");
});
