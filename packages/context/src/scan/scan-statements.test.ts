import { type SqlDialect, StatementRefusedError } from "@bridle/warehouse";
import { connectors } from "@bridle/warehouse/definitions";
import { expect, test } from "vitest";
import { countOrphansSql, countTuplesSql, isComparableType } from "./join-questions.ts";

const types = ["integer", "decimal", "text", "date", "timestamptz", "json", "array", "boolean"] as const;
const columns = types.map((type) => ({ name: `a ${type}`, type, nativeType: type }));
const table = { schema: "main", table: "Order Lines" };

/** Checks a statement with a database whose only table has exactly this name. */
function check(dialect: SqlDialect, sql: string): Promise<string> {
  return dialect.check(sql, {
    resolve(name) {
      if (name.at(-1) === table.table) return table;
      throw new StatementRefusedError(`There is no table ${name.join(".")}.`, { reason: "unknown_name" });
    },
    safeFunctions: new Set(["count", "sum", "min", "max", "nullif", "btrim", "trim"]),
  });
}

/** Lists the statements of a scan that all engines share. */
function statementsOf(dialect: SqlDialect): readonly string[] {
  const relation = dialect.quoteTable(table);
  const names = columns.map(({ name }) => name);
  const child = { relation, columns };
  const parent = { relation, columns: columns.toReversed() };
  const one = { relation, columns: columns.slice(0, 1) };
  return [
    `SELECT COUNT(*) AS n FROM ${relation}`,
    countTuplesSql(dialect, child, [names, names.slice(0, 1)]),
    countOrphansSql(dialect, child, parent, false),
    countOrphansSql(dialect, one, { relation, columns: columns.slice(2, 3) }, true),
    `SELECT ${dialect.digest(dialect.quoteIdentifier("a text"), "key")} AS d FROM ${relation}`,
    ...(["table", "view"] as const).map(
      (kind) => dialect.selectSample({ ...table, kind }, names, { rows: 10, of: 1_000, seed: 7 }).sql,
    ),
    dialect.selectSample(table, names).sql,
  ];
}

/** Engines whose parsers need a package or a catalog. Scans with their connectors are tested on the engines themselves. */
const ownParsers = new Set(["sqlite", "duckdb", "postgres"]);
const dialects = connectors.map(({ dialect }) => dialect).filter(({ id }) => !ownParsers.has(id));

test.each(dialects)("the statements of a scan are read by the grammar of $id", async (dialect) => {
  for (const sql of statementsOf(dialect)) await expect(check(dialect, sql), sql).resolves.toContain("Order Lines");
});

test("columns that an engine cannot compare are no candidates, such as a point in MySQL", () => {
  expect(isComparableType("mysql", "other")).toBe(false);
  expect(isComparableType("clickhouse", "array")).toBe(false);
  expect(isComparableType("postgres", "other")).toBe(true);
  expect(isComparableType("mysql", "bytes")).toBe(true);
});

test("ClickHouse compares numbers of different types as texts, because not all have a type in common", () => {
  const dialect = dialects.find(({ id }) => id === "clickhouse");
  if (dialect === undefined) throw new Error("There is no ClickHouse.");
  const numbers = (nativeType: string) => {
    const type = nativeType.includes("Decimal") ? ("decimal" as const) : ("integer" as const);
    return { relation: dialect.quoteTable(table), columns: [{ name: "n", type, nativeType }] };
  };
  const compare = (child: string, parent: string) => countOrphansSql(dialect, numbers(child), numbers(parent), false);
  expect(compare("UInt256", "Decimal(38, 2)")).toContain("CAST(");
  expect(compare("Nullable(UInt64)", "Int64")).toContain("CAST(");
  expect(compare("Nullable(UInt64)", "UInt64")).not.toContain("CAST(");
});
