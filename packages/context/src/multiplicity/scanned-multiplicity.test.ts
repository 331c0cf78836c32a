import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { expect, onTestFinished, test } from "vitest";
import { SqliteWarehouse } from "../../tests/support/sqlite-warehouse.ts";
import { openFacts } from "../facts/open-facts.ts";
import { scan } from "../scan/scan.ts";
import type { ScanOptions } from "../scan/scan-options.ts";

/** Creates cities that refer to provinces by name. One province name occurs in two countries. */
const provinces = `
  CREATE TABLE country (code TEXT, name TEXT);
  CREATE TABLE province (name TEXT, country TEXT, population INTEGER);
  CREATE TABLE city (name TEXT, province TEXT, country TEXT, population INTEGER);
  WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 12)
    INSERT INTO country SELECT char(64 + i) || char(64 + i) || 'X', 'Land ' || char(64 + i) FROM n;
  WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 240)
    INSERT INTO province SELECT 'Region ' || (1000 + i * 7), char(65 + i % 12) || char(65 + i % 12) || 'X', 1000 + i * 13 FROM n;
  WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 900)
    INSERT INTO city SELECT 'Town ' || i, 'Region ' || (1000 + (1 + i % 240) * 7),
      char(65 + (1 + i % 240) % 12) || char(65 + (1 + i % 240) % 12) || 'X', 50 + i FROM n;
  INSERT INTO province VALUES ('Region 1007', 'AAX', 77), ('Region 1014', 'AAX', 78), ('Region 1014', 'EEX', 79);
`;

test("a join towards columns that are not unique is many-to-many, with the rows that repeat a value", async () => {
  const { facts, scanAll } = open(provinces);
  await scanAll({ decisions: [accepted("city.province", "province.name")] });
  const found = facts.reader.joins().find(({ to }) => to.table === "w.main.province" && to.columns[0] === "name");
  expect(found).toMatchObject({ relationship: "many-to-many", status: "accepted" });
  expect(found?.uniqueness?.to).toEqual({ rows: 243, filled: 243, distinct: 240, isExact: true });
  expect(found?.uniqueness?.from).toEqual({ rows: 900, filled: 900, distinct: 240, isExact: true });
});

test("the end of a join is counted in all rows, even if only a sample of them was read", async () => {
  const { facts, scanAll, warehouse } = open(provinces);
  await scanAll({ decisions: [accepted("city.province", "province.name")], sampleRows: 50 });
  const found = facts.reader.joins().find(({ to }) => to.table === "w.main.province" && to.columns[0] === "name");
  expect(found?.uniqueness?.to).toEqual({ rows: 243, filled: 243, distinct: 240, isExact: true });
  const before = warehouse.statements.length;
  await scanAll({ decisions: [accepted("city.province", "province.name")], sampleRows: 50, refresh: false });
  expect(warehouse.statements.length).toBe(before);
});

test("a column that repeats a value is not reported as a key", async () => {
  const { facts, scanAll } = open(`
    CREATE TABLE part (part_no INTEGER, label TEXT, weight REAL);
    WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 400)
      INSERT INTO part SELECT 5000 + i, 'Part ' || (i % 90), i / 7.0 FROM n;
    INSERT INTO part VALUES (5003, 'Part 3', 1.25);`);
  await scanAll();
  expect(facts.reader.table("w.main.part")?.key).toBeUndefined();
});

test("the facts of an older version have no multiplicity, and the next scan measures it without reading tables", async () => {
  const { facts, scanAll, database } = open(provinces);
  const decisions = [accepted("city.province", "province.name")];
  await scanAll({ decisions });
  const old = facts.reader.joins().map(({ uniqueness: _, ...join }) => ({ ...join, relationship: "many-to-one" }));
  const write = database.prepare("UPDATE joins SET facts = ? WHERE id = ?");
  for (const join of old) write.run(JSON.stringify(join), join.id);
  database.exec("UPDATE connections SET state = 'as an older version wrote it'");
  expect((await scanAll({ decisions })).measured).toBe(0);
  const found = facts.reader.joins().find(({ to }) => to.table === "w.main.province" && to.columns[0] === "name");
  expect(found?.relationship).toBe("many-to-many");
});

function accepted(from: string, to: string) {
  const end = (name: string) => {
    const [table = "", column = ""] = name.split(".");
    return { table: `w.main.${table}`, columns: [column] };
  };
  return { from: end(from), to: end(to), status: "accepted", source: "person" } as const;
}

function open(sql: string) {
  const folder = mkdtempSync(join(tmpdir(), "bridle-multiplicity-"));
  const warehouse = new SqliteWarehouse(join(folder, "w.db"));
  warehouse.database.exec(sql);
  const facts = openFacts({ file: join(folder, "facts.sqlite") });
  const database = new DatabaseSync(join(folder, "facts.sqlite"));
  onTestFinished(async () => {
    database.close();
    facts.close();
    await warehouse.close();
    rmSync(folder, { recursive: true });
  });
  return { warehouse, facts, database, scanAll: (options: ScanOptions = {}) => scan(warehouse, facts, options) };
}
