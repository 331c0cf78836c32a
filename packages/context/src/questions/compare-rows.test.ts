import { expect, test } from "vitest";
import { type ComparedRows, compareRows } from "./compare-rows.ts";

const rows = (...given: ComparedRows["rows"]): ComparedRows => ({ rows: given });
const typed = (types: readonly string[], ...given: ComparedRows["rows"]): ComparedRows => ({
  columns: types.map((type) => ({ type })),
  rows: given,
});

test.each<[string, ComparedRows, ComparedRows]>([
  ["the order of rows", rows(["DE", 2], ["FR", 1]), rows(["FR", 1], ["DE", 2])],
  ["the order of columns", rows(["DE", 2], ["FR", 1]), rows([2, "DE"], [1, "FR"])],
  ["further columns", rows([2]), rows(["all", 2, "x"])],
  ["zeros at the end of decimals", typed(["decimal"], ["12.50"]), typed(["decimal"], ["12.5"])],
  ["the last digits of floats", rows([369_238.4]), rows([369_238.399_999_999_97])],
  ["whether an integer is stored as a float", typed(["integer"], [3]), typed(["float"], [3.000_000_000_000_1])],
  ["whether a boolean is stored as a number", rows([true], [false]), rows([0], [1])],
  ["how a month is written", rows(["2025-01-01", 1]), rows(["2025-01", 1])],
  ["how a year is written", rows(["2025-01-01"], ["2026-01-01"]), rows([2026], ["2025"])],
  ["a midnight", rows(["2025-03-04"]), rows(["2025-03-04T00:00:00Z"])],
  ["numerals of a text column", typed(["integer"], [7]), typed(["text"], ["07"])],
  ["nothing", rows(), rows()],
])("%s makes no difference between results", (_name, expected, received) => {
  expect(compareRows(expected, received)).toEqual({ isSame: true });
});

test.each<[string, ComparedRows, ComparedRows, string]>([
  ["another number of rows", rows([1], [2]), rows([1]), "The result has 1 row, but 2 are right."],
  ["no rows", rows([1]), rows(), "The result has 0 rows, but 1 are right."],
  ["a missing column", rows([1, "a"]), rows([1]), "The result has too few columns: 1, but 2 are needed."],
  ["another value", rows([1, "a"]), rows([1, "b"]), "No column has the values of column 2 of the right rows."],
  ["values in other rows", rows([1, "a"], [2, "b"]), rows([1, "b"], [2, "a"]), "not in the same rows"],
  ["a repeated row", rows(["a"], ["a"], ["b"]), rows(["a"], ["b"], ["b"]), "No column has the values"],
  ["one column for two", rows([1, 1]), rows([1]), "too few columns"],
  ["the last digit of a decimal", typed(["decimal"], ["0.10"]), typed(["decimal"], ["0.11"]), "No column"],
  [
    "the last digit of a big integer",
    rows(["9007199254740993"]),
    typed(["integer"], ["9007199254740992"]),
    "No column",
  ],
  ["null and zero", rows([null]), rows([0]), "No column"],
  ["null and an empty text", rows([null]), rows([""]), "No column"],
  ["the case of a text", rows(["Done"]), rows(["done"]), "No column"],
  ["numerals of two text columns", typed(["text"], ["007"]), typed(["text"], ["7"]), "No column"],
  ["another day of the month", rows(["2025-01-01"]), rows(["2025-01-02"]), "No column"],
])("%s makes a difference between results", (_name, expected, received, reason) => {
  const compared = compareRows(expected, received);
  expect(compared.isSame).toBe(false);
  expect(compared.reason).toContain(reason);
});

test("a tolerance is the largest difference of two numbers, and pairs rows whatever their order is", () => {
  const expected = rows([1, "b"], [1.004, "a"], [5, "c"]);
  expect(compareRows(expected, rows([1.005, "b"], [1.001, "a"], [5, "c"]), { tolerance: 0.01 }).isSame).toBe(true);
  expect(compareRows(rows([10]), rows([10.01]), { tolerance: 0.01 }).isSame).toBe(true);
  expect(compareRows(rows([10]), rows([10.011]), { tolerance: 0.01 }).isSame).toBe(false);
  expect(compareRows(typed(["decimal"], ["1.00"]), typed(["decimal"], ["1.01"]), { tolerance: 0.01 }).isSame).toBe(
    true,
  );
});

test("the order of rows counts if the question asks for it", () => {
  const expected = rows(["DE", 2], ["FR", 1]);
  expect(compareRows(expected, rows([2, "DE"], [1, "FR"]), { ordered: true }).isSame).toBe(true);
  expect(compareRows(expected, rows(["FR", 1], ["DE", 2]), { ordered: true })).toEqual({
    isSame: false,
    reason: "The rows are right, but their order is not.",
  });
});

test("columns with equal values are told apart by the rows that they belong to", () => {
  const expected = rows([1, 2, "x"], [2, 1, "y"]);
  expect(compareRows(expected, rows(["x", 2, 1], ["y", 1, 2])).isSame).toBe(true);
  expect(compareRows(expected, rows(["y", 2, 1], ["x", 1, 2])).isSame).toBe(true);
  expect(compareRows(rows([1, 1, "x"], [2, 2, "y"]), rows(["x", 1, 2], ["y", 2, 1])).isSame).toBe(false);
});
