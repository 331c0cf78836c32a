import { DatabaseSync } from "node:sqlite";
import { afterAll, expect, test } from "vitest";
import { checkStatement } from "../../src/connectors/sqlite/dialect/check-statement.ts";
import { type StatementContext, StatementRefusedError } from "../../src/index.ts";
import { RandomStatements } from "./random-statements.ts";

/** SQLite itself says which tables a statement reads: the program that it makes of the statement opens each by its page. */
const database = new DatabaseSync(":memory:");
for (const name of ["a", "b", "c", "d"]) {
  database.exec(`CREATE TABLE ${name} (x, y); CREATE TABLE ${name}_allowed (x, y)`);
}
const pages = new Set(
  database
    .prepare("SELECT rootpage FROM sqlite_schema WHERE name IN ('a', 'b', 'c', 'd')")
    .all()
    .map(({ rootpage }) => rootpage),
);
afterAll(() => database.close());

const context: StatementContext = {
  resolve: (name) => {
    const table = (name.at(-1) ?? "").toLowerCase();
    if (!["a", "b", "c", "d"].includes(table))
      throw new StatementRefusedError(`no ${table}`, { reason: "unknown_name" });
    return { schema: "main", table, relation: `(SELECT x, y FROM ${table}_allowed)` };
  },
};

type Outcome = "refused" | "invalid" | "prepared";

/** Prepares what the check returned, and fails if it opens a table that should have been replaced. */
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
    return checkStatement(sql, context).sql;
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
