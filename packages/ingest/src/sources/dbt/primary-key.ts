import type { YamlValue } from "../evidence/yaml-text.ts";
import { testsOf } from "./dbt-test.ts";

/** The columns of a primary key, and the entry that declares it. */
export interface TestedKey {
  readonly columns: readonly string[];
  readonly at: YamlValue;
}

/**
 * Finds the primary key: a declared constraint, a column with tests for unique and not null, or a combination with a test for unique whose
 * columns each have a test for not null. Ignores tests that cover only some rows. Returns undefined if it finds no key or several keys.
 */
export function testedPrimaryKey(table: YamlValue, columns: readonly YamlValue[]): TestedKey | undefined {
  return declaredKey(table, columns) ?? testedKey(columns) ?? combinedKey(table, columns);
}

function declaredKey(table: YamlValue, columns: readonly YamlValue[]): TestedKey | undefined {
  const whole = table.list("constraints").find(isPrimary);
  const named = whole?.child("columns")?.value;
  if (whole !== undefined && Array.isArray(named) && named.length > 0) return { columns: named.map(String), at: whole };
  const own = columns.filter((column) => column.list("constraints").some(isPrimary));
  const [first] = own;
  return first === undefined ? undefined : { columns: own.map(nameOf), at: first };
}

function testedKey(columns: readonly YamlValue[]): TestedKey | undefined {
  const keys = columns.filter((column) => hasTest(column, "unique") && isNeverNull(column));
  const [first, ...others] = keys;
  return first === undefined || others.length > 0 ? undefined : { columns: [nameOf(first)], at: first };
}

function combinedKey(table: YamlValue, columns: readonly YamlValue[]): TestedKey | undefined {
  const test = testsOf(table).find(
    ({ name, where }) => /(?:^|\.)unique_combination_of_columns$/.test(name) && where === undefined,
  );
  const named = test?.arguments.combination_of_columns;
  if (test === undefined || !Array.isArray(named) || named.length === 0) return undefined;
  const names = named.map(String);
  const areNeverNull = names.every((name) => columns.some((column) => nameOf(column) === name && isNeverNull(column)));
  return areNeverNull ? { columns: names, at: test.at } : undefined;
}

function isPrimary(constraint: YamlValue): boolean {
  return constraint.child("type")?.text?.toLowerCase() === "primary_key";
}

function isNeverNull(column: YamlValue): boolean {
  return (
    hasTest(column, "not_null") || column.list("constraints").some((each) => each.child("type")?.text === "not_null")
  );
}

function hasTest(column: YamlValue, name: string): boolean {
  return testsOf(column).some((test) => test.name === name && test.where === undefined);
}

function nameOf(column: YamlValue): string {
  return column.child("name")?.text ?? "";
}
