import { expect, test } from "vitest";
import { profileRows } from "../profile-rows.ts";
import { type ColumnFacts, describeSchema } from "../schema-facts.ts";
import { ParentIndex } from "./parent-index.ts";

const things = "anchor bridge candle dagger engine feather garden hammer island jacket".split(" ");
const kinds = "apple birch cedar daisy elder fern grass holly ivy juniper".split(" ");

test("of hundreds of keys with the same numbers, those that a column is named for are compared with it", async () => {
  const names = [1, 2, 3, 4, 5].flatMap((area) =>
    things.flatMap((thing) => kinds.map((kind) => `${thing}_${kind}_${area}`)),
  );
  const columns = describe([...names.map(keyed), ["visits", [["main_jacket_juniper_3_id", numbers(9, 1)]]]]);
  const child = columns.find(({ name }) => name === "main_jacket_juniper_3_id");
  const found = (await ParentIndex.create(columns.filter(({ unique }) => unique))).possibleFor(child ?? fail());
  expect(found.length).toBeLessThanOrEqual(300);
  expect(found.map(({ name }) => name)).toContain("jacket_juniper_3_id");
});

test("a parent without values of the child is not compared with it, in whatever order they are", async () => {
  const tables = Array.from({ length: 400 }, (_, at) => keyed(`t${at}`, at));
  const columns = describe([...tables, ["child", [["link", [50_007, 50_009, 50_011, 50_011]]]]]);
  const child = columns.find(({ name }) => name === "link");
  const found = (await ParentIndex.create(columns.filter(({ unique }) => unique))).possibleFor(child ?? fail());
  expect(found.map(({ name }) => name)).toEqual(["t50_id"]);
});

test("a table of which a sample was read may contain any value", async () => {
  const columns = describe([keyed("t0", 0), keyed("t1", 7), ["child", [["link", [8_001, 8_002]]]]], "t0");
  const child = columns.find(({ name }) => name === "link");
  const found = (await ParentIndex.create(columns.filter(({ unique }) => unique))).possibleFor(child ?? fail());
  expect(found.map(({ name }) => name)).toEqual(["t0_id"]);
});

type Table = readonly [name: string, columns: readonly (readonly [name: string, values: readonly number[]])[]];

/** Returns a table with a key of 20 numbers. Tables with different `at` have no numbers in common. */
function keyed(name: string, at: number): Table {
  return [name, [[`${name}_id`, numbers(20, name.includes("_") ? 1 : 1_000 * at + 1)]]];
}

function describe(tables: readonly Table[], sampled = ""): readonly ColumnFacts[] {
  const profiles = tables.map(([name, columns]) => {
    const rows = (columns[0]?.[1] ?? []).map((_, row) => columns.map(([, values]) => values[row]));
    const types = columns.map(([column]) => ({ name: column, type: "INTEGER" }));
    return { ...profileRows({ id: name, name, columns: types, rows }), sampled: name === sampled };
  });
  return describeSchema(profiles).columns;
}

function numbers(count: number, from: number): readonly number[] {
  return Array.from({ length: count }, (_, at) => from + at);
}

function fail(): never {
  throw new Error("The column is missing.");
}
