import { expect, test } from "vitest";
import { columnsOf } from "./columns.ts";
import { textTable } from "./text-table.ts";

const page = (width: number) => ({ width, paint: (_: string, text: string) => text });

test("a table of texts has columns as wide as their values", () => {
  expect(
    textTable(
      ["name", "type"],
      [
        ["id", "integer"],
        ["Ωμέγα", "text"],
      ],
      page(80),
    ),
  ).toEqual(["name   type", "id     integer", "Ωμέγα  text"]);
});

test("a table that is too wide is cut in its widest columns", () => {
  const lines = textTable(["a", "b"], [["short", "x".repeat(100)]], page(30));
  expect(lines.every((line) => columnsOf(line) <= 30)).toBe(true);
  expect(lines[1]).toMatch(/^short {2}x+…$/);
});

test("a value with a line break or an escape sequence stays on its line", () => {
  const [, row] = textTable(["a"], [["one\ntwo\u001b[31mred"]], page(80));
  expect(row).toMatch(/^one two/);
  expect(row).not.toContain("\u001b");
});
