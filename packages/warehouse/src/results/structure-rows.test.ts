import { expect, test } from "vitest";
import { structureRows } from "./structure-rows.ts";

test("the structured rows have no loss, also of numbers that JSON would round", () => {
  const columns = [{ name: "a", type: "other", nativeType: "" }] as const;
  const rows = [[1n, 9_007_199_254_740_993n, "0.10", 0.5, Number.NaN, null, new Uint8Array([255]), [1n, "a"]]];
  expect(JSON.parse(JSON.stringify(structureRows({ columns, rows })))).toEqual({
    columns: [{ name: "a", type: "other" }],
    rows: [[1, "9007199254740993", "0.10", 0.5, "NaN", null, "/w==", [1, "a"]]],
  });
});
