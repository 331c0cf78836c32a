import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { isSoak } from "../../../../tests/support/soak.ts";
import { duckdbDialect } from "../../src/connectors/duckdb/dialect/dialect.ts";
import { type Statement, testStatements } from "../statement-harness.ts";
import { readAll } from "./database.ts";
import { reads } from "./reading-statements.ts";
import { refused } from "./refused-statements.ts";
import { DuckDbStatementDatabase, secret } from "./statement-database.ts";

const failing: readonly Statement[] = [
  { why: "a runaway", sql: "SELECT count(*) FROM range(1000000000000) WHERE range % 7 = 8", expect: "fails" },
  {
    why: "a recursion without an end",
    sql: "WITH RECURSIVE n AS (SELECT 1 AS i UNION ALL SELECT i + 1 FROM n) SELECT max(i) FROM n",
    expect: "fails",
  },
  { why: "an unknown column", sql: "SELECT no_such_column FROM orders", expect: "fails" },
  { why: "a wrong cast", sql: "SELECT name::INTEGER FROM customers", expect: "fails" },
  {
    why: "more memory than there is",
    sql: "SELECT count(DISTINCT repeat('x', 1000) || range) FROM range(100000000)",
    expect: "fails",
  },
];

testStatements({
  dialect: duckdbDialect,
  open: () => DuckDbStatementDatabase.open(),
  statements: [...reads, ...refused, ...failing],
  fingerprint: (database) => database.fingerprint(),
});

describe("the session of DuckDB alone", () => {
  let database: DuckDbStatementDatabase;
  beforeAll(async () => {
    database = await DuckDbStatementDatabase.open();
  });
  afterAll(() => database.close());

  test.each(refused)("returns nothing from outside and changes no file in $why: $sql", async ({ sql }) => {
    const before = await database.fingerprint();
    const rows = await readAll(database.guarded, database.place(sql)).catch((error: unknown) => String(error));
    expect(
      JSON.stringify(rows, (_, value: unknown) => (typeof value === "bigint" ? String(value) : value)),
    ).not.toContain(secret);
    expect(await database.fingerprint()).toBe(before);
    expect(await readAll(database.guarded, "SELECT count(*) FROM orders")).toEqual([[40n]]);
  });
});

/** Matches statements that would request an extension from a server, or read from a server. */
const needsNetwork = /\b(?:install|load|update extensions|https?|s3)\b/i;

test("without both layers, the statements of DuckDB that are refused have effects", async () => {
  const database = await DuckDbStatementDatabase.open();
  onTestFinished(() => database.close());
  const effective: string[] = [];
  const step = isSoak ? 2 : 8;
  const some = refused.filter(({ sql }, index) => index % step === 0 && !needsNetwork.test(sql)); // each statement opens a database
  for (const { sql, why } of some) if (await database.hasUnguardedEffect(sql)) effective.push(why);
  expect(effective.length, effective.join("; ")).toBeGreaterThan(60 / step);
});
