/**
 * Statements that a model may use to read values: they select, compare, sort, aggregate and convert values, or provoke errors that quote
 * them.
 */
import type { PlantedTable } from "./planted-database.ts";

/** Statements that must reveal nothing for any column, even if the column is not sensitive as a whole. */
const ofColumns: readonly ((column: string, table: string) => string)[] = [
  (column, table) => `SELECT ${column} FROM ${table} WHERE ${column} IS NOT NULL ORDER BY ${column} DESC LIMIT 20`,
  (column, table) => `SELECT min(${column}), max(${column}) FROM ${table}`,
  (column, table) => `SELECT ${column}, count(*) FROM ${table} GROUP BY ${column} ORDER BY 2, 1 LIMIT 20`,
  (column, table) => `SELECT trim(${column}) AS t, lower(${column}) FROM ${table} WHERE id > 3990 LIMIT 20`,
  (column, table) => `SELECT group_concat(${column}, ', ') FROM ${table} WHERE id BETWEEN 3990 AND 4010`,
  (column, table) => `SELECT CAST(${column} AS INTEGER) FROM ${table} WHERE id >= 4000`,
  (column, table) => `SELECT CAST(${column} AS DATE) AS d FROM ${table} WHERE id >= 4000`,
  (column, table) => `SELECT ${column} LIKE '%@%', ${column} > 'm', '<' || ${column} || '>' FROM ${table} LIMIT 5`,
  (column, table) => `SELECT json_extract(${column}, '$.a') FROM ${table} WHERE id >= 4000`,
];

/** Statements that take a recognized value apart, so they reveal nothing only if the column is sensitive as a whole. */
const ofMasked: readonly ((column: string, table: string) => string)[] = [
  (column, table) =>
    `SELECT substr(${column}, 1, 9), hex(${column}), replace(${column}, '@', '#') FROM ${table} LIMIT 9`,
  (column, table) => `SELECT upper(${column}), length(${column}), reverse(${column}) FROM ${table} LIMIT 9`,
  (column, table) => `SELECT CAST(${column} AS INTEGER), CAST(${column} AS DOUBLE) FROM ${table} LIMIT 9`,
  (column, table) =>
    `SELECT a.${column} FROM ${table} a JOIN ${table} b ON a.${column} = b.${column} WHERE a.id < 50 AND b.id < 50`,
  (column, table) => `SELECT count(*) FROM ${table} WHERE ${column} LIKE '%@%' OR ${column} BETWEEN '4' AND '6'`,
  (column, table) => `SELECT CASE WHEN ${column} > 'c' THEN ${column} ELSE 'no' END AS x FROM ${table} LIMIT 9`,
];

const wholeTables: readonly ((table: string) => string)[] = [
  (table) => `SELECT * FROM ${table} LIMIT 30`,
  (table) => `SELECT * FROM ${table} WHERE id BETWEEN 3990 AND 4010`,
  (table) => `SELECT 1 / 0, * FROM ${table} LIMIT 3`,
  (table) => `SELECT unknown_column, * FROM ${table}`,
  (table) => `INSERT INTO copies SELECT * FROM ${table}`,
  (table) => `EXPLAIN SELECT * FROM ${table}`,
];

/** Reads tables with a few rows that differ in form from the rest of the column. */
const rare = new Set(["notes", "codes"]);

/** Combines every form with some column, and every column that is sensitive as a whole with a quarter of the forms. */
export function statementsFor({ name, columns }: PlantedTable): readonly string[] {
  const isRare = rare.has(name);
  const forms = isRare ? ofColumns : [...ofColumns, ...ofMasked];
  const each = columns.flatMap((column, at) =>
    forms.filter((_, form) => isRare || (form + at) % 4 === 0).map((write) => write(column, name)),
  );
  return [...each, ...wholeTables.map((write) => write(name))];
}
