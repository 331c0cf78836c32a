import type { DialectId } from "@bridle/warehouse";
import { expect, test } from "vitest";
import { findDialect } from "../../facts/find-dialect.ts";
import { alikeTo, matchStoredValue, spellingsOf } from "./value-condition.ts";

const condition = (dialect: DialectId, value: string) => matchStoredValue(findDialect({ dialect }), "c", value);

test("ClickHouse compares with its function for all letters", () => {
  expect(condition("clickhouse", "Åland")).toBe(
    "lowerUTF8(c) IN (lowerUTF8('Åland'), lowerUTF8('åland'), lowerUTF8('ÅLAND'))",
  );
});

test("a value never becomes SQL, and each spelling is compared once", () => {
  expect(condition("postgres", "it's")).toBe("LOWER(c) IN (LOWER('it''s'), LOWER('IT''S'), LOWER('It''s'))");
  expect(condition("bigquery", "\\' OR 1 --")).not.toContain("(c) IN (LOWER('\\' OR");
  expect(spellingsOf("42")).toEqual(["42"]);
  expect(spellingsOf("𝒳y")).toEqual(["𝒳y", "𝒳Y"]);
});

test.each([
  ["Straße", "STRASSE", true],
  ["ΑΘΉΝΑ", "Αθήνα", true],
  ["Berlin", "Bern", false],
])("of %s and %s, the letters are the same: %s", (text, value, expected) => {
  expect(alikeTo(value)(text)).toBe(expected);
});
