import type { ColumnStructure, ValueType, WarehouseValue } from "@bridle/warehouse";
import { expect, test } from "vitest";
import { profileRows } from "../joins/profile-rows.ts";
import { shapeOf } from "./shape-of.ts";
import { decodeMeasurement, encodeMeasurement } from "./stored-profile.ts";
import { TableMeter } from "./table-meter.ts";
import { ValueCounter } from "./value-counter.ts";

test.each([
  ["Bob-1234", "Aa+-9+"],
  ["2024-01-31", "9+-9+-9+"],
  ["x", "a"],
  ["Θεσσαλονίκη 12", "Aa+ 9+"],
  ["日本語", "a+"],
  ["😀😀!", "?+!"],
  ["", ""],
])("the shape of %j is %j", (text, shape) => {
  expect(shapeOf(text)).toBe(shape);
});

test("the shape of a long text is cut", () => {
  expect(shapeOf("a1".repeat(500))).toMatch(/^(a9)+…$/);
  expect(shapeOf("a1".repeat(500)).length).toBeLessThan(50);
});

test("a counter counts as a map does, also with many values", () => {
  const counter = new ValueCounter();
  const map = new Map<number, number>();
  for (let at = 0; at < 50_000; at++) {
    const hash = ((at * 7_919) % 20_011) / 20_011;
    counter.add(hash);
    map.set(hash, (map.get(hash) ?? 0) + 1);
  }
  expect(counter.size).toBe(map.size);
  for (let number = 0; number < counter.size; number++)
    expect(counter.count(number)).toBe(map.get(counter.hash(number)));
});

test("a profile counts rows, missing values and different values, and orders numbers by size", () => {
  const { meters } = meter([["amount", "decimal"]], [["9.50"], ["10.25"], [null], ["9.50"], ["-3"]]);
  expect(meters[0]?.valueProfile(5, false)).toEqual({
    rows: 5,
    nulls: 1,
    distinct: 3,
    min: "-3",
    max: "10.25",
    shapes: [],
    frequent: [{ value: "9.50", rows: 2 }],
  });
});

test("integers beyond 53 bits keep their digits", () => {
  const { meters } = meter([["id", "integer"]], [[9_007_199_254_740_993n], [9_007_199_254_740_992n]]);
  expect(meters[0]?.valueProfile(2, false)).toMatchObject({
    distinct: 2,
    min: "9007199254740992",
    max: "9007199254740993",
  });
});

test("the profile of a sensitive column has counts and shapes, and no value", () => {
  const rows = [["ann@shop.example"], ["ann@shop.example"], ["bob@shop.example"]];
  const { meters } = meter([["mail", "text"]], rows);
  expect(meters[0]?.valueProfile(3, true)).toEqual({
    rows: 3,
    nulls: 0,
    distinct: 2,
    shapes: [{ shape: "a+@a+.a+", rows: 3 }],
    frequent: [],
  });
  expect(meters[0]?.joinProfile(3, true)).toMatchObject({
    hidden: true,
    range: undefined,
    sketch: { complete: false },
  });
  expect(meters[0]?.joinProfile(3, true).sketch.hashes).toHaveLength(0);
});

test("single sensitive values in texts are not shown", () => {
  const texts = ["call ann@shop.example today", "call ann@shop.example today", "nothing"];
  const { meters } = meter(
    [["note", "text"]],
    texts.map((text) => [text]),
  );
  expect(JSON.stringify(meters[0]?.valueProfile(3, false))).not.toContain("ann@");
});

test("a long text is counted whole and shown in part", () => {
  const long = "x".repeat(50_000);
  const { meters } = meter([["t", "text"]], [[`${long}a`], [`${long}b`], [`${long}b`]]);
  const profile = meters[0]?.valueProfile(3, false);
  expect(profile?.distinct).toBe(2);
  expect(JSON.stringify(profile).length).toBeLessThan(1000);
});

test("a profile for joins is the same as one that is made from all rows in memory", () => {
  const rows: WarehouseValue[][] = Array.from({ length: 3000 }, (_, at) => [
    BigInt(at),
    at % 7 === 0 ? null : ` name ${at % 1700} `,
    at % 5 === 0 ? "" : String((at % 90) / 4),
    `2024-01-${String(1 + (at % 28)).padStart(2, "0")}`,
  ]);
  const columns = [
    ["id", "integer"],
    ["name", "text"],
    ["amount", "text"],
    ["day", "date"],
  ] as const;
  const measured = meter(columns, rows);
  const profile = profileRows({ id: "t", name: "t", columns: columns.map(([name, type]) => ({ name, type })), rows });
  expect(measured.meters.map((each) => each.joinProfile(rows.length, false))).toEqual(profile.columns);
  expect(measured.repeatedRows).toBe(profile.repeatedRows);
  const stored = decodeMeasurement(
    "t",
    encodeMeasurement({ profile, tuples: [{ columns: ["id"], filled: 3, distinct: 2 }] }),
  );
  expect(stored).toEqual({
    profile: { ...profile, sampled: false },
    tuples: [{ columns: ["id"], filled: 3, distinct: 2 }],
  });
});

test("sets of columns are counted exactly if they are unique, and rows without a value are left out", () => {
  const rows: WarehouseValue[][] = Array.from({ length: 400 }, (_, at) => [
    BigInt(at % 20),
    BigInt(Math.floor(at / 20)),
    at % 2 === 0 ? null : 1n,
  ]);
  const columns = [
    ["a", "integer"],
    ["b", "integer"],
    ["c", "integer"],
  ] as const;
  const measured = meter(columns, rows);
  expect(measured.repeatedRows).toBe(0);
  const [ab, ac] = measured.countTuples([
    ["a", "b"],
    ["a", "c"],
  ]);
  expect(ab).toEqual({ filled: 400, distinct: 400 });
  expect(ac?.distinct).toBeLessThan(30);
});

function meter(
  columns: readonly (readonly [string, ValueType])[],
  rows: readonly (readonly WarehouseValue[])[],
): TableMeter {
  const structures: ColumnStructure[] = columns.map(([name, type]) => ({
    name,
    type,
    nativeType: type,
    nullable: true,
  }));
  const made = new TableMeter(structures);
  for (const row of rows) made.add(row);
  return made;
}
