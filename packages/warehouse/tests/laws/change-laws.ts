import { expect, vi } from "vitest";
import type { z } from "zod";
import type { ConnectorBench } from "./bench.ts";
import type { Law } from "./law.ts";

const changed = "marks a table as changed after INSERT, UPDATE, DELETE and ALTER";
const others = "marks no other table as changed after a change of rows";

/** Returns the laws about changes. Each law changes the database, so these laws run last. */
export function changeLaws<Schema extends z.ZodObject>(bench: ConnectorBench<Schema>): readonly Law[] {
  return [
    { title: "marks nothing as changed if nothing changed", hold: () => keepsMarks(bench) },
    { title: changed, hold: () => marksChanges(bench) },
    { title: others, hold: () => keepsOtherMarks(bench) },
    { title: "has no mark for a table that does not exist", hold: () => hasNoMark(bench) },
  ];
}

type Check = <Schema extends z.ZodObject>(bench: ConnectorBench<Schema>) => Promise<void>;

/** Reads the change markers. If changes show late, waits until each table has one. */
async function marksOf<Schema extends z.ZodObject>(bench: ConnectorBench<Schema>, ...names: readonly string[]) {
  const tables = names.map((table) => bench.name(table));
  if (bench.harness.hasLateMarks !== true) return bench.connection.readChangeMarks(tables);
  return vi.waitUntil(
    async () => {
      const marks = await bench.connection.readChangeMarks(tables);
      return marks.every((mark) => mark !== undefined) && marks;
    },
    { timeout: 60_000, interval: 200 },
  );
}

async function markOf<Schema extends z.ZodObject>(bench: ConnectorBench<Schema>, table: string) {
  const [mark] = await marksOf(bench, table);
  return mark;
}

const keepsMarks: Check = async (bench) => {
  const tables = ["customers", "orders", "numbers"];
  const before = await marksOf(bench, ...tables);
  expect(before).toHaveLength(3);
  await bench.read(`SELECT count(*) FROM ${bench.quoted("numbers")}`);
  expect(await marksOf(bench, ...tables)).toEqual(before);
  const another = await bench.connect();
  expect(await another.readChangeMarks(tables.map((table) => bench.name(table)))).toEqual(before);
  await another.close();
};

const marksChanges: Check = async (bench) => {
  const table = bench.quoted("numbers");
  const changes = [
    `INSERT INTO ${table} VALUES (5000, 'new')`,
    `UPDATE ${table} SET label = 'old' WHERE n = 5000`,
    `DELETE FROM ${table} WHERE n = 5000`,
    `ALTER TABLE ${table} ADD extra ${bench.harness.types.text}`,
  ];
  const marks = [await markOf(bench, "numbers")];
  for (const sql of changes) {
    await bench.fixture.write(sql);
    marks.push(await markOf(bench, "numbers"));
  }
  if (marks.every((mark) => mark === undefined)) throw new Error("The engine has no marks: skip this law.");
  for (const [index, mark] of marks.entries()) expect(mark).not.toBe(marks[index - 1]);
};

const keepsOtherMarks: Check = async (bench) => {
  const before = await markOf(bench, "customers");
  await bench.fixture.write(`INSERT INTO ${bench.quoted("numbers")} (n, label) VALUES (6000, 'new')`);
  expect(await markOf(bench, "customers")).toBe(before);
};

const hasNoMark: Check = async (bench) => {
  expect(await bench.connection.readChangeMarks([bench.name("no_such_table")])).toEqual([undefined]);
};
