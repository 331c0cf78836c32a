import { expect, test } from "vitest";
import { columnsOf, cutAt, padEnd, padStart } from "./columns.ts";

test.each([
  ["abc", 3],
  ["漢字", 4],
  ["e\u0301", 1],
  ["🙂!", 3],
  ["한글", 4],
  ["→ ✓ ✗ …", 7],
])("%j takes %i columns", (text, columns) => {
  expect(columnsOf(text)).toBe(columns);
});

test("a text that does not fit is cut, even if its characters are wide", () => {
  expect(cutAt("abcdef", 6)).toBe("abcdef");
  expect(cutAt("abcdefg", 6)).toBe("abcde…");
  expect(cutAt("漢字漢字", 6)).toBe("漢字…");
  expect(cutAt("a cdefg", 3)).toBe("a…");
});

test("a text is padded to a number of columns", () => {
  expect(padEnd("漢", 4)).toBe("漢  ");
  expect(padStart("漢", 4)).toBe("  漢");
});
