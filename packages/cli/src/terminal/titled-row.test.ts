import { expect, test } from "vitest";
import { formatTitledRow } from "./titled-row.ts";

test.each([
  "an order desk\nPolicy        mode ask",
  "an order desk\r\nPolicy        mode ask",
  "an order desk\u2028Policy        mode ask",
  "an order desk\u001b[1E\u009bPolicy        mode ask",
  `${"漢".repeat(40)} Policy        mode ask`,
])("no line of the text %j looks like another title", (text) => {
  const [first, ...rest] = formatTitledRow("Agent", text, 60, 14).trimEnd().split("\n");
  expect(first).toMatch(/^Agent {9}\S/);
  for (const line of rest) expect(line).toMatch(/^ {14}/);
});

test("a short text is on the line of its title", () => {
  expect(formatTitledRow("Agent", "desk: answers", 60, 14)).toBe("Agent         desk: answers\n");
});
