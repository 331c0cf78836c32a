import { expect, test } from "vitest";
import { profileRows } from "../profile-rows.ts";
import { type ColumnFacts, describeSchema } from "../schema-facts.ts";
import { InclusionProbe } from "./inclusion.ts";

test("a column of small numbers is compared exactly with a key that has every number of its range", () => {
  const parent = column("integer", numbers(3_000, 1));
  expect(parent.sketch.complete).toBe(false);
  const child = column("int4", [...numbers(297, 1), 0, 0, 3_001]);
  expect(new InclusionProbe(child).compare(parent)).toEqual({ rows: 0.99, compared: 299, exact: true });
  const wide = column("int4", [...numbers(297, 1), 0, 0, 9_000]);
  expect(new InclusionProbe(wide).compare(parent).exact).toBe(false);
});

test("many numbers within the range of a key without gaps are all in the key", () => {
  const child = column("BIGINT", numbers(2_000, 501));
  expect(new InclusionProbe(child).compare(column("INTEGER", numbers(3_000, 1)))).toMatchObject({
    rows: 1,
    exact: true,
  });
});

test("a key with a gap is compared by its sketch, as far as that goes", () => {
  const parent = column("INTEGER", [...numbers(2_000, 1), ...numbers(1_000, 2_002)]);
  const { exact, compared } = new InclusionProbe(column("INTEGER", numbers(60, 1))).compare(parent);
  expect(exact).toBe(false);
  expect(compared).toBeLessThan(60);
});

test("digits in texts are not taken for the numbers that they look like", () => {
  const parent = column("INTEGER", numbers(3_000, 1));
  const child = column("VARCHAR(8)", ["5", "17", "2100"]);
  expect(new InclusionProbe(child).compare(parent).exact).toBe(false);
});

function numbers(count: number, from: number): readonly number[] {
  return Array.from({ length: count }, (_, at) => from + at);
}

function column(type: string, values: readonly unknown[]): ColumnFacts {
  const rows = values.map((value) => [value]);
  const profile = profileRows({ id: "t", name: "t", columns: [{ name: "c", type }], rows });
  const [found] = describeSchema([profile]).columns;
  if (found === undefined) throw new Error("The table has no column.");
  return found;
}
