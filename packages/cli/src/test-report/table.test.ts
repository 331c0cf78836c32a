import { expect, test } from "vitest";
import { tableLines } from "./table.ts";

const paint = (_colour: string, text: string) => text;
const rows = [
  ["a long name of something", "0.50", "3"],
  ["漢字", "12.00", "–"],
];

test("names are aligned to the left, and figures to the right under their titles", () => {
  expect(tableLines(["Metric", "mean", "n"], rows, { width: 80, paint })).toEqual([
    "Metric                     mean  n",
    "a long name of something   0.50  3",
    "漢字                      12.00  –",
  ]);
});

test("a name is cut if it does not fit, a figure never", () => {
  expect(tableLines(["Metric", "mean", "n"], rows, { width: 24, paint })).toEqual([
    "Metric           mean  n",
    "a long name o…   0.50  3",
    "漢字            12.00  –",
  ]);
});
