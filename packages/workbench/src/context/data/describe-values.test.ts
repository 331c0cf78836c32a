import { expect, test } from "vitest";
import { describeValues } from "./describe-values.ts";

const profile = { rows: 10, nulls: 0, distinct: 2, shapes: [], frequent: [] };

test("values of a column are listed if they are few, and else the least and the greatest", () => {
  const frequent = [
    { value: "DE", rows: 6 },
    { value: "FR", rows: 4 },
  ];
  expect(describeValues({ ...profile, min: "DE", max: "FR", frequent })).toBe("DE, FR");
  expect(describeValues({ ...profile, distinct: 9, min: "1", max: "9" })).toBe("1 … 9");
  expect(describeValues({ ...profile, distinct: 9, min: "1", max: "1" })).toBe("1");
  expect(describeValues(profile)).toBe("");
  expect(describeValues(undefined)).toBe("");
});

test("a long value is cut between characters", () => {
  const text = describeValues({ ...profile, distinct: 1, frequent: [{ value: "😀".repeat(5000), rows: 2 }] });
  expect(text).toBe(`${"😀".repeat(60)}…`);
});
