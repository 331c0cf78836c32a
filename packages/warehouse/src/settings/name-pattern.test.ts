import { expect, test } from "vitest";
import { isPattern, joinName, NamePattern, splitExactName } from "./name-pattern.ts";

test.each<[string, readonly string[], boolean]>([
  ["sales", ["sales", "orders"], true],
  ["sales", ["sales_old", "orders"], false],
  ["sales.orders", ["SALES", "Orders"], true],
  ["sales.orders", ["sales", "orders2"], false],
  ["*.tmp_*", ["sales", "tmp_"], true],
  ["*.tmp_*", ["sales", "my_tmp_1"], false],
  ["s*l*s.*", ["sales", "x"], true],
  ["s*l*s.*", ["sal", "x"], false],
  ["ab*ba", ["aba"], false],
  ["ab*ba", ["abba"], true],
  ["*", ["anything", "at", "all"], true],
  ["crm.*.email", ["crm", "people", "email"], true],
  ["crm.*.email", ["crm", "people", "email_hash"], false],
  ['main."a.b"', ["main", "a.b"], true],
  ['main."a*"', ["main", "ab"], false],
  ['main."a*"', ["main", "a*"], true],
  ['main."say ""hi"""', ["main", 'say "hi"'], true],
  ["a.b", ["a.b", ""], false],
  ["größe.顧*", ["GRÖSSE", "顧客"], false],
  ["größe.顧*", ["GRÖßE", "顧客"], true],
])("the pattern %s on the name %j says %s", (text, names, expected) => {
  expect(new NamePattern(text).matches(names)).toBe(expected);
});

test("a pattern with many stars is matched in time that grows with the name", () => {
  const pattern = new NamePattern("*a".repeat(2_000));
  expect(pattern.matches(["a".repeat(1_999)])).toBe(false);
});

test.each(["", ".", "a.", ".a", 'a"b', '"a', 'a."b"c', "a..b"])("%j is no pattern", (text) => {
  expect(isPattern(text, 3)).toBe(false);
});

test("a pattern has no more parts than its kind of name", () => {
  expect([isPattern("a.b", 2), isPattern("a.b.c", 2), isPattern("a.b.c", 3)]).toEqual([true, false, true]);
});

test.each([[["sales", "orders"]], [["main", "a.b"]], [["main", 'say "hi"', ""]], [["s p", "a*"]]])(
  "the joined name of %j is an exact name again",
  (parts) => {
    expect(splitExactName(joinName(parts))).toEqual(parts);
  },
);

test("a name with a star is not exact", () => {
  expect(splitExactName("sales.*")).toBe(undefined);
  expect(new NamePattern("sales.*").schema).toBe("sales");
  expect(new NamePattern("s*.t").schema).toBe(undefined);
});

test.each([
  ["sales.orders", true],
  ["sales.orders.total", true],
  ['"odd.*".t', true],
  ["sales", false],
  ["sales.*", false],
  ["*.orders", false],
])("the pattern %s is the full name of one table or column: %s", (pattern, isFullName) => {
  expect(new NamePattern(pattern).isFullName).toBe(isFullName);
});
