import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { silentLogger } from "@bridle/protocol";
import { afterAll, expect, test } from "vitest";
import { agentForTests, testCaseNames } from "./index.ts";

const secret = "sk-planted-0123456789abcdef";
const files = {
  "bridle.yaml": "",
  "agent.yaml": `name: desk
model: { provider: anthropic, name: claude-rehearsed }
instructions: { inline: Be kind. }
execution: { max_steps: 3 }
tools:
  - { type: function, name: lookup_order, file: tools.mjs, function: lookup }
  - { type: function, name: remove_order, file: tools.mjs, function: remove }
  - { type: function, name: break_order, file: tools.mjs, function: fail }
test_cases:
  - { name: finds it, input: Where is order A-1001?, expected_tools: [lookup_order], ground_truth: It has shipped. }
  - { name: finds another, input: Where is order A-1001?, expected_tools: [{ name: lookup_order, args: { id: B-2 } }] }
`,
  "tools.mjs": `const input = { jsonSchema: { type: "object", properties: { id: { type: "string" } } }, problems: () => [] };
const tool = (name, annotations) => ({ name, description: "An order.", annotations, input, execute: async () => "Done." });
export const lookup = tool("lookup_order", { readOnly: true });
export const fail = { ...tool("break_order", { readOnly: true }), execute: async () => { throw new Error("no index"); } };
export const remove = tool("remove_order", { destructive: true });
`,
  "script.yaml": `rehearsal: 1
turns:
  - when: { user: Where is }
    steps: [{ call: lookup_order, with: { id: A-1001 } }, { say: It has shipped. }]
  - when: { user: And the lamp }
    steps: [{ say: The lamp comes on Tuesday. }]
  - when: { user: Remove }
    steps: [{ call: remove_order, with: { id: A-1001 } }, { say: I may not. }]
  - when: { user: Break }
    steps: [{ call: break_order, with: { id: A-1001 } }, { say: It failed. }]
  - when: { user: Say nothing }
    steps: [{ say: " " }]
  - when: { user: For ever }
    steps: [{ call: lookup_order, with: { id: A-1 }, forever: true }]
  - when: { user: secret }
    steps: [{ say: "It is ${secret}." }]
`,
};

const folder = mkdtempSync(join(tmpdir(), "bridle-desk-"));
for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
afterAll(() => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }));

const file = join(folder, "agent.yaml");
const variables = { PATH: process.env.PATH, HOME: folder, TMPDIR: tmpdir(), MY_API_KEY: secret };
const options = { variables, projectDir: folder, logger: silentLogger };
const desk = agentForTests(file, { ...options, rehearse: join(folder, "script.yaml") });

/** Returns the message of an assertion, without the parts that differ between runs. */
async function saidBy(assert: () => unknown): Promise<string> {
  const error = await (async () => assert())().then(
    () => new Error("It passed."),
    (thrown: unknown) => thrown,
  );
  return String(error instanceof Error ? error.message : error).replaceAll(/replay \S+/g, "replay RUN");
}

test("an answer has its text, its calls and its costs", async () => {
  const answer = await desk.ask("Where is order A-1001?");
  expect(answer).toMatchObject({ text: "It has shipped.", steps: 2, calls: [{ tool: "lookup_order" }] });
  expect(answer).toHaveCalled("lookup_order");
  expect(answer).toHaveCalled("lookup_order", { id: "A-1001" }, { count: 1, outcome: "succeeded" });
  expect(answer).toHaveCalled("lookup_order", { id: { regex: "^A-" } });
  expect(answer).not.toHaveCalled("lookup_order", { id: "B-2" });
  expect(answer).not.toHaveCalled("remove_order");
});

test("a missing call fails with the calls that were made", async () => {
  const answer = await desk.ask("Where is order A-1001?");
  expect(await saidBy(() => expect(answer).toHaveCalled("lookup_order", { id: "B-2" }))).toMatchInlineSnapshot(`
    "lookup_order was called with { id: "A-1001" }: id is "A-1001" instead of "B-2".
      expected: lookup_order { id: "B-2" }
      asked:    Where is order A-1001?
      answered: It has shipped.
      see:      bridle replay RUN"
  `);
  expect(await saidBy(() => expect(answer).not.toHaveCalled("lookup_order"))).toMatchInlineSnapshot(`
    "Expected no call of lookup_order (executed).
      received: lookup_order {"id":"A-1001"}
      asked:    Where is order A-1001?
      answered: It has shipped.
      see:      bridle replay RUN"
  `);
});

test("a failed call satisfies neither toHaveCalled nor its negation", async () => {
  const answer = await desk.ask("Break A-1001.");
  const sentence = "the call failed. Write outcome: executed if that is enough.";
  expect(await saidBy(() => expect(answer).toHaveCalled("break_order"))).toContain(sentence);
  expect(await saidBy(() => expect(answer).not.toHaveCalled("break_order"))).toContain("Expected no call");
  expect(answer).toHaveCalled("break_order", {}, { outcome: "executed" });
  expect(answer).toHaveCalled("break_order", {}, { outcome: "failed" });
  expect(answer).not.toHaveCalled("break_order", {}, { outcome: "succeeded" });
});

test("an unknown tool passes with neither expect nor not", async () => {
  const answer = await desk.ask("Where is order A-1001?");
  const sentence = 'expected_tools names "lookup_ordr", but the agent has no such tool. Did you mean "lookup_order"?';
  expect(await saidBy(() => expect(answer).toHaveCalled("lookup_ordr"))).toContain(sentence);
  expect(await saidBy(() => expect(answer).not.toHaveCalled("lookup_ordr"))).toContain(sentence);
});

test("an answer is scored by a metric", async () => {
  const answer = await desk.ask("Where is order A-1001?");
  const rouge = { type: "standard", metric: "rougeL", threshold: 0.9 } as const;
  await expect(answer).toScore(rouge, { groundTruth: "It has shipped." });
  await expect(answer).not.toScore(rouge, { groundTruth: "It is lost." });
  await expect(answer).toScore(rouge, { groundTruth: ["It is lost.", "It has shipped."] });
  await expect(answer).not.toScore(rouge, { groundTruth: ["It is lost.", "Nobody knows."] });
  const known = await desk.ask("Where is order A-1001?", { groundTruth: ["It is lost.", "It has shipped."] });
  await expect(known).toScore(rouge);
  await expect(known).not.toScore(rouge, { groundTruth: "It is lost." });
  const said = await saidBy(() => expect(answer).toScore(rouge, { groundTruth: "It is lost." }));
  expect(said).toMatchInlineSnapshot(`
    "rougeL: expected ≥ 0.9, got 0.3333. precision 1/3, recall 1/3
      expected: It is lost.
      received: It has shipped.
      asked:    Where is order A-1001?
      answered: It has shipped.
      see:      bridle replay RUN"
  `);
  const against = await saidBy(() => expect(answer).not.toScore(rouge, { groundTruth: "It has shipped." }));
  expect(against).toMatchInlineSnapshot(`
    "rougeL: expected not to pass, got 1 (threshold 0.9).
      asked:    Where is order A-1001?
      answered: It has shipped.
      see:      bridle replay RUN"
  `);
});

test("a metric that cannot run passes with neither expect nor not", async () => {
  const answer = await desk.ask("Where is order A-1001?");
  const rouge = { type: "standard", metric: "rougeL" } as const;
  expect(await saidBy(() => expect(answer).toScore(rouge))).toMatchInlineSnapshot(`
    "rougeL could not run: the case has no ground_truth. Write one, or remove the metric.
      asked:    Where is order A-1001?
      answered: It has shipped.
      see:      bridle replay RUN"
  `);
  expect(await saidBy(() => expect(answer).not.toScore(rouge))).toContain("could not run");
});

test("an unknown metric is refused", async () => {
  const answer = await desk.ask("Where is order A-1001?");
  const wrong = JSON.parse('{ "type": "standard", "metric": "rougeM" }');
  expect(await saidBy(() => expect(answer).toScore(wrong))).toContain("The metric cannot be used.");
});

test("a value that is no answer is refused by expect and not", async () => {
  const sentence = /needs an answer of ask\(\)/;
  expect(await saidBy(() => expect("It has shipped.").toHaveCalled("lookup_order"))).toMatch(sentence);
  expect(await saidBy(() => expect("It has shipped.").not.toHaveCalled("lookup_order"))).toMatch(sentence);
  expect(await saidBy(() => expect({}).not.toPass())).toContain("toPass needs the result of case()");
});

test("a call with side effects is denied, which fails unless it is expected", async () => {
  expect(await saidBy(() => desk.ask("Remove A-1001."))).toMatchInlineSnapshot(`
    "A call of remove_order was denied by side-effects. Allow it, or expect it with { name: remove_order, outcome: denied }. The model received: This call was not allowed (side-effects). The call is destructive, and this is a test. Do not repeat it; continue without it. (bridle test --allow-side-effects lets such calls run, unless a rule denies them or asks about the tool by name.)
      received: remove_order { id: "A-1001" }
      asked:    Remove A-1001.
      answered: I may not.
      see:      bridle replay RUN"
  `);
  const expectedTools = [{ name: "remove_order", outcome: "denied" }] as const;
  const answer = await desk.ask("Remove A-1001.", { expectedTools });
  expect(answer).toHaveCalled("remove_order", { id: "A-1001" }, { outcome: "denied" });
});

test("an empty answer and a run without steps left fail", async () => {
  expect(await saidBy(() => desk.ask("Say nothing."))).toContain("The agent answered nothing.");
  expect(await saidBy(() => desk.ask("For ever."))).toMatchInlineSnapshot(`
    "The agent used up its 3 steps before it finished. Raise execution.max_steps, or give it less to do.
      expected: an end within 3 steps
      asked:    For ever.
      answered: nothing
      see:      bridle replay RUN"
  `);
});

test("a conversation knows its earlier turns", async () => {
  const conversation = desk.conversation();
  await conversation.ask("Where is order A-1001?");
  const { text, transcript } = await conversation.ask("And the lamp?");
  expect(text).toBe("The lamp comes on Tuesday.");
  expect(transcript[0]).toMatchObject({ kind: "user", text: "And the lamp?" });
});

test("a case of the file passes or fails with the reasons", async () => {
  expect(await testCaseNames(file, { variables })).toEqual(["finds it", "finds another"]);
  await expect(desk.case("finds it")).resolves.toPass();
  const trial = await desk.case("finds another");
  expect(trial).not.toPass();
  expect(await saidBy(() => expect(trial).toPass())).toMatchInlineSnapshot(`
    "The case "finds another" did not pass.
    lookup_order was called with { id: "A-1001" }: id is "A-1001" instead of "B-2".
      expected: lookup_order { id: "B-2" }
      asked:    Where is order A-1001?
      answered: It has shipped.
      see:      bridle replay RUN"
  `);
  expect(await saidBy(() => desk.case("finds on"))).toContain('has no test case "finds on". Did you mean');
});

test("no answer and no message contains a credential", async () => {
  const answer = await desk.ask("What is the secret?");
  expect(answer.text).not.toContain(secret);
  const said = await saidBy(() => expect(answer).toScore({ type: "standard", metric: "contains", value: "lamp" }));
  expect(said).toContain("contains");
  expect(said).not.toContain(secret);
});
