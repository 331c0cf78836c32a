import { DatabaseSync } from "node:sqlite";
import { afterAll, expect, test } from "vitest";
import { checkStatement } from "../../src/connectors/sqlite/dialect/check-statement.ts";
import { type StatementContext, StatementRefusedError } from "../../src/index.ts";
import { RandomStatements } from "./random-statements.ts";

/** A database for finding out which tables a statement reads: the compiled statement opens each table by its page. */
const database = new DatabaseSync(":memory:");
const names = ["a", "b", "c", "d", "k", "ä"];
for (const name of names) {
  database.exec(`CREATE TABLE ${name} (x, y); CREATE TABLE ${name}_allowed (x, y)`);
}
const pages = new Set(
  database
    .prepare("SELECT rootpage FROM sqlite_schema WHERE length(name) = 1")
    .all()
    .map(({ rootpage }) => rootpage),
);
afterAll(() => database.close());

const context: StatementContext = {
  resolve: (name) => {
    const table = (name.at(-1) ?? "").toLowerCase();
    if (!names.includes(table)) throw new StatementRefusedError(`no ${table}`, { reason: "unknown_name" });
    return { schema: "main", table, relation: `(SELECT x, y FROM ${table}_allowed)` };
  },
};

type Outcome = "refused" | "invalid" | "prepared";

/** Prepares the statement that the check returned, and fails if it opens a table that should have been replaced. */
function tryStatement(sql: string): Outcome {
  const checked = check(sql);
  if (checked === undefined) return "refused";
  const program = explain(checked);
  if (program === undefined) return "invalid";
  if (program.some(({ opcode, p2 }) => opcode === "OpenRead" && pages.has(p2 ?? null)))
    throw new Error(`A table is read by\n${sql}\nwhich became\n${checked}`);
  return "prepared";
}

function check(sql: string): string | undefined {
  try {
    return checkStatement(sql, context);
  } catch (error) {
    if (error instanceof StatementRefusedError) return undefined;
    throw error;
  }
}

function explain(sql: string) {
  try {
    return database.prepare(`EXPLAIN ${sql}`).all();
  } catch {
    return undefined;
  }
}

test("no table of a random statement is read beside its replacement", () => {
  const statements = new RandomStatements(1);
  const outcomes = Array.from({ length: 2_000 }, () => tryStatement(statements.next()));
  expect(outcomes.filter((outcome) => outcome === "prepared").length).toBeGreaterThan(300);
});

test("no table of a damaged statement is read beside its replacement", () => {
  const statements = new RandomStatements(2);
  const outcomes = Array.from({ length: 6_000 }, () => tryStatement(statements.nextDamaged()));
  expect(outcomes.filter((outcome) => outcome === "prepared").length).toBeGreaterThan(200);
});

/** JavaScript and SQLite treat other letters differently: SQLite converts only the letters a to z. */
test.each([
  ["a common table expression with a Kelvin sign", "WITH \u212A AS (SELECT 1) SELECT * FROM k"],
  ["a common table expression in another case", "WITH Ä AS (SELECT 1) SELECT * FROM ä"],
  [
    "DISTINCT without dots",
    "SELECT (SELECT max(x) || (1 IS d\u0131st\u0131nct FROM k)) FROM (SELECT 1 AS d\u0131st\u0131nct)",
  ],
  ["DISTINCT with a long s", "SELECT (SELECT max(x) || (1 IS di\u017ftinct) FROM k) FROM (SELECT 1 AS di\u017ftinct)"],
  [
    "DISTINCT with a long s, without parentheses",
    "SELECT (SELECT 1 IS di\u017ftinct FROM k) FROM (SELECT 1 AS di\u017ftinct)",
  ],
  ["IS with a long s", "SELECT (SELECT 1 i\u017f FROM k)"],
  ["IN without a dot", "SELECT 1 \u0131n FROM k"],
  ["AS with a long s", "WITH k (a\u017f) AS (SELECT 1) SELECT * FROM main.k"],
])("%s does not hide a table", (_, sql) => {
  expect(["prepared", "invalid", "refused"]).toContain(tryStatement(sql));
});
