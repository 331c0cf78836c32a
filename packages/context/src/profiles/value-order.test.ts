import { expect, test } from "vitest";
import { isLess } from "./value-order.ts";

test.each([
  ["9007199254740993.1", "9007199254740993.2"],
  ["12345678901234567890.000000000000000001", "12345678901234567890.000000000000000002"],
  ["-9007199254740993.2", "-9007199254740993.1"],
  ["9007199254740992", "9007199254740992.50"],
  ["-0.5", "0.25"],
  ["9", "10"],
])("the decimal %s comes before %s, and not the other way round", (a, b) => {
  expect([isLess(a, b, "decimal"), isLess(b, a, "decimal")]).toEqual([true, false]);
});

test("equal decimals with other digits, and values that are no decimals, have no order", () => {
  for (const [a, b] of [
    ["1.0", "1.00"],
    ["Infinity", "Infinity"],
    ["1e400", "1e401"],
  ] as const)
    expect([isLess(a, b, "decimal"), isLess(b, a, "decimal")]).toEqual([false, false]);
});
