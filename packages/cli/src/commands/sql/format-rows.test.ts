import { expect, test } from "vitest";
import { formatCsv } from "./format-rows.ts";

const columns = [{ name: 'a "b"' }, { name: "c,d" }, { name: "e" }];
const rows = [
  ["x, y", 'say "no"', "two\nlines"],
  [null, "", "carriage\rreturn"],
  [-5, "=1+1", "@sum"],
  [{ z: [1] }, true, "\u001b[2Jgone \u202e"],
];

test("CSV quotes separators, quotes and ends of lines, and an empty text is not NULL", () => {
  const lines = ['"a ""b""","c,d",e', '"x, y","say ""no""","two\nlines"', ',"","carriage\rreturn"'];
  expect(formatCsv({ columns, rows: rows.slice(0, 2) }, { isTTY: false })).toBe(`${lines.join("\n")}\n`);
});

test("CSV for a file or a pipe has each value as it is stored, also one that a spreadsheet takes for a formula", () => {
  const lines = ["-5,=1+1,@sum", '"{""z"":[1]}",true,\u001b[2Jgone \u202e'];
  expect(formatCsv({ columns: [], rows: rows.slice(2) }, { isTTY: false })).toBe(`\n${lines.join("\n")}\n`);
});

test("CSV on a terminal shows characters that would control it as escapes", () => {
  const shown = formatCsv(
    { columns: [{ name: "\u001b[31mred" }], rows: [["\u001b[2Jgone \u202e"], ["tab\t"]] },
    { isTTY: true },
  );
  for (const hidden of ["\u001b", "\u202e"]) expect(shown).not.toContain(hidden);
  expect(shown).toContain("gone");
  expect(shown).toContain("tab\t");
});
