import { visibleWidth } from "@earendil-works/pi-tui";
import { expect, test } from "vitest";
import { columnsOf, cutAt, maxColumnsOf, padEnd, padStart } from "./columns.ts";
import { columnsInAnyTerminal } from "./widths-for-tests.ts";

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

test("no terminal takes more columns for a character than the most that is expected", () => {
  const wrong: string[] = [];
  for (let code = 0x20; code <= 0x1_ffff; code += 1) {
    const character = String.fromCodePoint(code);
    if (/\p{C}/u.test(character)) continue;
    const expected = Math.max(columnsInAnyTerminal(character), visibleWidth(`a${character}`) - 1, columnsOf(character));
    if (maxColumnsOf(character) < expected) wrong.push(code.toString(16));
  }
  expect(wrong).toEqual([]);
  expect(["a①", "─α", "漢", "a\u103a", "abc"].map(maxColumnsOf)).toEqual([3, 4, 2, 2, 3]);
});
