/** Values that are hard to group, compare and add. */
import type { TestTable } from "../../table-data.ts";
import { exact, type NaiveValue } from "../evaluator/naive-values.ts";
import type { RandomChoices } from "../random-choices.ts";

/** Empty strings, and strings that differ only in case, or contain spaces, quotes, patterns, accents, or characters beyond ASCII. */
export const dirtyTexts = [
  "",
  "a",
  "A",
  "a ",
  "é",
  "e",
  "E",
  "it's",
  "50%",
  "x_y",
  "NULL",
  "ß",
  "SS",
  "🙂",
  "ﬁ",
] as const;

const moments = [
  "2023-12-31 23:30:00",
  "2024-01-01 00:00:00",
  "2024-01-01 04:59:59",
  "2024-02-29 12:00:00",
  "2024-03-10 06:59:59",
  "2024-03-10 07:00:00",
  "2024-03-31 00:59:59",
  "2024-03-31 01:00:00",
  "2024-03-31 22:00:00",
  "2024-10-27 00:30:00",
  "2024-10-27 01:30:00",
  "2024-11-03 05:30:00",
  "2024-11-03 06:30:00",
  "2024-12-30 23:59:59",
  "2024-12-31 18:30:00",
  "2024-06-30 21:59:59",
] as const;
export const days = [
  "2023-12-31",
  "2024-01-01",
  "2024-01-31",
  "2024-02-29",
  "2024-03-01",
  "2024-03-31",
  "2024-04-01",
  "2024-06-30",
  "2024-10-27",
  "2024-12-29",
  "2024-12-30",
  "2025-01-01",
] as const;

export type CellKind = "label" | "flag" | "size" | "amount" | "big" | "moment" | "day" | "double";

/** Returns a random value, which is NULL in about one of eight cases. */
function randomCell(choices: RandomChoices, kind: CellKind): NaiveValue {
  if (choices.chance(13)) return null;
  switch (kind) {
    case "label":
      return choices.chance(60) ? choices.pick(dirtyTexts.slice(0, 4)) : choices.pick(dirtyTexts);
    case "flag":
      return choices.chance(50);
    case "size":
      return exact(choices.int(-1, 6));
    case "amount":
      return exact(choices.chance(30) ? choices.int(-300, 300) : choices.int(0, 99_999), 2);
    case "big":
      return exact(9_007_199_254_740_990n + BigInt(choices.int(0, 9)));
    case "moment":
      return choices.pick(moments);
    case "day":
      return choices.pick(days);
    case "double":
      return choices.int(-800, 8000) / 8;
  }
}

const columnTypes: Readonly<Record<CellKind, TestTable["columns"][string]>> = {
  label: "text",
  flag: "boolean",
  size: "integer",
  amount: "decimal",
  big: "integer",
  moment: "timestamp",
  day: "date",
  double: "double",
};

/** The columns of a table and the kinds of their values, such as `{ fee: "amount" }`. */
export type ColumnKinds = Readonly<Record<string, CellKind>>;

export function typesOf(kinds: ColumnKinds): TestTable["columns"] {
  return Object.fromEntries(Object.entries(kinds).map(([name, kind]) => [name, columnTypes[kind]]));
}

export function randomCells(choices: RandomChoices, kinds: ColumnKinds): Record<string, NaiveValue> {
  return Object.fromEntries(Object.entries(kinds).map(([name, kind]) => [name, randomCell(choices, kind)]));
}
