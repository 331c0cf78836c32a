/** Tests `bridle context eval`: questions with known answers, on several hosts. */
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { testRunSchema } from "@bridle/app/tests";
import { afterAll, beforeAll, expect, test } from "vitest";
import { sampleOf } from "../../../../tests/support/soak.ts";
import { createPlace, type Place, startCommand } from "../support/command.ts";

const questions = `
questions:
  - question: How many orders are there?
    tags: [simple]
    sql: SELECT count(*) FROM main.orders
    rows: [[900]]
  - question: How many orders are there by channel?
    metrics: { measures: [orders.count], dimensions: [orders.channel] }
  - question: Which customers have the lowest numbers?
    ordered: true
    sql: SELECT cust_no FROM main.customers ORDER BY cust_no
  - question: How many buyers are there?
    ambiguous:
      - { assumption: customers with an order, says: [with an order], sql: SELECT count(DISTINCT buyer_no) FROM main.orders }
      - { assumption: all registered customers, says: [registered], sql: SELECT count(*) FROM main.customers }
  - question: How many orders were cancelled?
    sql: SELECT count(*) FROM main.orders WHERE status = 'cancelled'
  - question: What is our profit?
    unanswerable: The data have no costs.
  - question: What did we buy?
    unanswerable: The data have no purchases.
`;

const statement = (sql: string) =>
  `{ call: run_sql, with: { connection: roaster, statement: "${sql}", max_rows: 100 } }`;
const script = `
rehearsal: 1
turns:
  - when: { user: are there by channel }
    steps:
      - { call: query_metrics, with: { measures: [orders.count], dimensions: [orders.channel] } }
      - say: Most orders come from the web.
  - when: { user: How many orders are there }
    steps: [${statement("SELECT 1, count(*) AS n FROM main.orders")}, { say: There are 900 orders. }]
  - when: { user: lowest }
    steps: [${statement("SELECT cust_no AS n, full_name FROM main.customers ORDER BY 1")}, { say: From 10001 upward. }]
  - when: { user: buyers }
    steps: [${statement("SELECT count(*) AS n FROM main.customers")}, { say: 160 registered customers. }]
  - when: { user: cancelled }
    steps: [${statement("SELECT count(*) AS n FROM main.orders WHERE status = 'canceled'")}, { say: None. }]
  - when: { user: profit }
    steps: [{ say: I do not know. The data have no costs. }]
  - steps: [{ say: We bought 400 bags of coffee. }]
`;

let place: Place;
let project: string;
beforeAll(async () => {
  place = await createPlace();
  project = join(place.project, "roaster");
  expect(await startCommand(["context", "demo", "--output", "roaster"], place).ended).toBe(0);
  put("shop.yaml", questions);
  put("script.yaml", script);
  put("bridle.yaml", `${read("bridle.yaml")}llm: { models: { default: sonnet } }\n`);
});
afterAll(() => place.remove());

const read = (file: string) => readFileSync(join(project, file), "utf8");
function put(file: string, text: string): void {
  mkdirSync(join(project, file, ".."), { recursive: true });
  writeFileSync(join(project, file), text);
}

const keys = { OPENAI_API_KEY: "sk-rehearsed", ANTHROPIC_API_KEY: "sk-ant-rehearsed" };
async function evaluate(...words: string[]) {
  const command = startCommand(["context", "eval", "--project-dir", project, ...words], place, keys);
  return { code: await command.ended, stdout: command.stdout(), stderr: command.stderr() };
}

const rehearsed = () => [join(project, "shop.yaml"), "--rehearse", join(project, "script.yaml")];

test.each(sampleOf(["claude-code", "anthropic", "openai-compatible"], 2))(
  "questions with known answers are compared by the rows of the last statement on %s",
  async (backend) => {
    const { code, stdout, stderr } = await evaluate(...rehearsed(), "--backend", backend, "--json");
    expect([code, stderr]).toEqual([1, expect.stringContaining("How many orders were cancelled?")]);
    const run = testRunSchema.parse(JSON.parse(stdout));
    const outcomes = run.cases.map(({ trials: [trial] }) => [
      trial?.outcome,
      ...(trial?.failures.map(({ message }) => message) ?? []),
    ]);
    expect(outcomes).toEqual([
      ["passed"],
      ["passed"],
      ["passed"], // its 160 rows were cut to 100, so the statement ran again
      ["passed"],
      ["failed", "rows: expected ≥ 1, got 0. No column has the values of column 1 of the right rows."],
      ["passed"],
      [
        "failed",
        "unknown: expected ≥ 1, got 0. The answer has to say that it does not know: The data have no purchases.",
      ],
    ]);
    expect(run.cases[4]?.trials[0]?.failures[0]).toMatchObject({
      received: "0",
      expected: expect.stringMatching(/^\d+$/),
    });
  },
);

test("a baseline knows only what the database declares, and the comparison names the questions that the context answers", async () => {
  const { code, stdout } = await evaluate(
    ...rehearsed(),
    "--baseline",
    "--case",
    "How many orders are there by channel?",
  );
  expect(code).toBe(0);
  expect(stdout).toContain("1 case passed");
  expect(stdout).toMatch(/Without the context, and with it:[\s\S]*✓ Fixed: How many orders are there by channel\?/);
});

test("questions are asked several times, by their tag, and reported like tests", async () => {
  const { code, stdout } = await evaluate(...rehearsed(), "--tag", "simple", "--trials", "2", "--report", "markdown");
  expect(code).toBe(0);
  expect(stdout).toContain("How many orders are there?");
  expect(stdout).not.toContain("by channel");
  expect(stdout).toMatch(/2 trials|2\/2/);
});

test("known answers are checked without a model, and a wrong one ends the command before a model is asked", async () => {
  const checked = await evaluate(join(project, "shop.yaml"), "--check");
  expect([checked.code, checked.stderr]).toEqual([0, ""]);
  expect(checked.stdout).toContain("✓ How many buyers are there? (1 row, or 1 row)");
  put("wrong.yaml", "questions:\n  - { question: How many?, sql: SELECT count(*) FROM main.orders, rows: [[901]] }\n");
  const file = join(project, "wrong.yaml");
  const wrong = await evaluate(file, "--check");
  expect([wrong.code, wrong.stdout]).toEqual([1, expect.stringContaining("✗ How many?")]);
  expect(await evaluate(file)).toMatchObject({
    code: 3,
    stdout: "",
    stderr: expect.stringContaining('The question "How many?" has a wrong known answer. The reference does not return'),
  });
});

test.each([
  ["questions:\n  - { question: A }\n", "wrong.yaml:2:5: questions.0 has no known answer. Write sql, metrics or rows"],
  ["questions:\n  - { question: A, sqll: B, rows: [[1]] }\n", 'unknown key "sqll". Did you mean "sql"?'],
  ["questions:\n  - { question: A, rows: [[1]], connection: roasted }\n", "Did you mean"],
  ["questions:\n  - { question: A, rows: [[1]] }\n  - { question: A, rows: [[2]] }\n", 'Two questions are named "A".'],
  ["questions: [\n", "This is not YAML"],
])("the file of questions %j is refused with position and remedy", async (text, message) => {
  put("wrong.yaml", text);
  const { code, stderr } = await evaluate(join(project, "wrong.yaml"), "--check");
  expect([code, stderr]).toEqual([3, expect.stringContaining(message)]);
});
