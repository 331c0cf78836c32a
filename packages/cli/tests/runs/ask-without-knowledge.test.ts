/** Tests the output of `bridle ask` for answers that are not based on the data: not scanned, no data, nothing read, out of scope. */
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { z } from "zod";
import { sampleOf } from "../../../../tests/support/soak.ts";
import { createPlace, type Place, startCommand } from "../support/command.ts";

const script = `rehearsal: 1
turns:
  - when: { user: /weather/ }
    steps: [{ say: "I do not know: the databases have no weather." }]
  - when: { user: /salaries/ }
    steps:
      - { call: search_context, with: { query: salaries } }
      - { call: run_sql, with: { statement: SELECT sum(amount) FROM salaries } }
      - { say: "I do not know: I may not read salaries." }
  - when: { user: /guess/ }
    steps: [{ call: run_sql, with: { statement: SELECT 42 AS revenue } }, { say: "It is 42." }]
  - when: { user: /orders/ }
    steps:
      - { call: search_context, with: { query: orders } }
      - { call: run_sql, with: { statement: SELECT count(*) AS n FROM orders } }
      - { say: "There are 3 orders. Assumption: every row is an order." }
`;

const notBased = "No statement read a table for this answer, so it is not based on the data.";
const answered = z.looseObject({
  isBasedOnData: z.boolean(),
  queries: z.array(z.looseObject({ ok: z.boolean() })),
  definitions: z.array(z.unknown()),
});

let place: Place;
beforeAll(async () => {
  place = await createPlace();
  for (const [folder, sql] of [
    [
      "shop",
      "CREATE TABLE orders (id INTEGER); INSERT INTO orders VALUES (1), (2), (3); CREATE TABLE salaries (amount INTEGER)",
    ],
    ["empty", ""],
    ["unscanned", "CREATE TABLE orders (id INTEGER)"],
  ] as const) {
    const project = join(place.project, folder);
    await mkdir(join(project, "context/tables/db"), { recursive: true });
    new DatabaseSync(join(project, "db.sqlite")).exec(`${sql}; PRAGMA user_version = 1`);
    await writeFile(join(project, "script.yaml"), script);
    await writeFile(
      join(project, "bridle.yaml"),
      "context: { connections: { db: { type: sqlite, file: db.sqlite, exclude: [main.salaries] } } }\n",
    );
    if (folder === "shop")
      await writeFile(
        join(project, "context/tables/db/main.yaml"),
        "tables: { orders: { description: What customers ordered. } }\n",
      );
    if (folder !== "unscanned") await bridle(folder, "context", "scan");
  }
});
afterAll(() => place.remove());

async function bridle(folder: string, ...words: string[]) {
  const keys = { OPENAI_API_KEY: "sk-rehearsed", ANTHROPIC_API_KEY: "sk-ant-rehearsed" };
  const command = startCommand([...words, "--project-dir", join(place.project, folder)], place, keys);
  return { code: await command.ended, stdout: command.stdout(), stderr: command.stderr() };
}

test("a question that fails has its reason, and no sentence about an answer", async () => {
  const { code, stdout, stderr } = await bridle("shop", "ask", "--backend", "openai-compatible", "How many orders?");
  expect({ code, stdout }).toEqual({ code: 3, stdout: "" });
  expect(stderr).not.toBe("");
  const script = join(place.project, "shop/failing.yaml");
  await writeFile(script, "rehearsal: 1\nturns:\n  - steps: [{ status: 401, forever: true }]\n");
  const failed = await bridle("shop", "ask", "--backend", "anthropic", "--model", "any", "--rehearse", script, "Why?");
  expect({ code: failed.code, stdout: failed.stdout.trim() }).toEqual({ code: 4, stdout: "" });
});

describe.each(sampleOf(["claude-code", "openai-compatible", "anthropic"], 2))("on %s", (backend) => {
  const ask = (folder: string, question: string, ...more: string[]) => {
    const model = backend === "claude-code" ? [] : ["--model", "any"];
    const script = join(place.project, folder, "script.yaml");
    return bridle(folder, "ask", "--backend", backend, ...model, "--rehearse", script, question, ...more);
  };

  test("an answer without a statement, with a constant only, or from a table out of scope says that it is not based on the data", async () => {
    for (const [question, answer] of [
      ["How is the weather?", "I do not know: the databases have no weather."],
      ["Please guess the revenue.", "It is 42."],
    ] as const) {
      const { code, stdout } = await ask("shop", question);
      expect({ question, code, stdout }).toMatchObject({ code: 0, stdout: expect.stringContaining(answer) });
      expect(stdout).toContain(notBased);
    }
    const json = answered.parse(JSON.parse((await ask("shop", "What are the salaries?", "--json")).stdout));
    expect(json).toMatchObject({
      isBasedOnData: false,
      queries: [{ ok: false }],
      definitions: [],
    });
  });

  test("without a scan, and with an empty database, it warns, and says that the answer is not based on the data", async () => {
    const unscanned = await ask("unscanned", "How is the weather?");
    expect(unscanned.stderr).toContain("The connection db has not been scanned, so the agent knows nothing about it.");
    expect(unscanned.stdout).toContain(notBased);
    const empty = await ask("empty", "How many orders are there?");
    expect(empty.stderr).toContain("The scan of the connection db found no tables.");
    expect(empty.stdout).toContain(notBased);
  });

  test("an answer from the data shows its value, assumption, statement, table and definition with its source", async () => {
    const { stdout } = await ask("shop", "How many orders are there?");
    expect(stdout).toContain("There are 3 orders. Assumption: every row is an order.");
    expect(stdout).toContain("SQL on db, from db.main.orders (1 row):\n  SELECT count(*) AS n FROM orders\n");
    expect(stdout).toContain("Definitions of these tables:\n  db.main.orders: What customers ordered. (person)\n");
    expect(stdout).not.toContain(notBased);
  });
});
