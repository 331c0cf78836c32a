/** Checks the statements of the demo's questions against the database, and compares their results with those of careless statements. */
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { pathToFileURL } from "node:url";
import { compareRows, questionFileSchema } from "@bridle/context";
import { afterAll, beforeAll, expect, test } from "vitest";
import { parse } from "yaml";
import { z } from "zod";
import { naiveStatements } from "./naive-statements.ts";

const companyModule = z.object({
  writeCompany: z.custom<(file: string) => void>((value) => typeof value === "function"),
});
const demo = join(import.meta.dirname, "../demo/context");
const { questions } = questionFileSchema.parse(parse(readFileSync(join(demo, "questions.yaml"), "utf8")));

let folder: string;
let database: DatabaseSync;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "bridle-demo-questions-"));
  const { writeCompany } = companyModule.parse(await import(pathToFileURL(join(demo, "company.js")).href));
  writeCompany(join(folder, "roaster.db"));
  database = new DatabaseSync(join(folder, "roaster.db"), { readOnly: true });
});
afterAll(() => {
  database.close();
  rmSync(folder, { recursive: true });
});

function run(sql: string) {
  const statement = database.prepare(sql);
  return { rows: statement.all().map((row) => Object.values(row).map((value) => value as string | number | null)) };
}

test("the demo has at least 40 questions, of every kind", () => {
  expect(questions.length).toBeGreaterThanOrEqual(40);
  expect(questions.filter(({ ambiguous }) => ambiguous).length).toBeGreaterThanOrEqual(5);
  expect(questions.filter(({ unanswerable }) => unanswerable).length).toBeGreaterThanOrEqual(4);
});

test.each(questions.flatMap(({ question, ambiguous }) => (ambiguous ? [[question, ambiguous] as const] : [])))(
  "the assumptions of the ambiguous question %j have different answers",
  (_question, variants) => {
    const [first, second] = variants.map(({ sql = "" }) => run(sql));
    if (first === undefined || second === undefined) throw new Error("there are no two answers");
    expect(first.rows).not.toEqual([]);
    expect(compareRows(first, second).isSame).toBe(false);
  },
);

const traps = ["fan-out", "null-group", "many-to-many", "semi-additive", "time-zone", "empty-periods", "cumulative"];
const trapping = questions.filter(({ tags = [] }) =>
  [...traps, "ratio", "role-playing"].some((tag) => tags.includes(tag)),
);

test("each trap of the demo has a question with the statement that falls into it", () => {
  expect(Object.keys(naiveStatements).filter((name) => !trapping.some(({ question }) => question === name))).toEqual(
    [],
  );
  const caught = trapping.filter(({ question }) => question in naiveStatements).flatMap(({ tags = [] }) => tags);
  expect([...new Set(caught)].sort()).toEqual([...traps, "ratio", "role-playing"].sort());
});

test.each(Object.entries(naiveStatements))("the naive answer to %j has other rows", (name, naive) => {
  const { sql = "" } = questions.find(({ question }) => question === name) ?? {};
  expect(run(naive).rows).not.toEqual([]);
  expect(compareRows(run(sql), run(naive)).isSame).toBe(false);
});
