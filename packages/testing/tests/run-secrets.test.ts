// biome-ignore-all lint/suspicious/noTemplateCurlyInString: this is how the file refers to the environment
/** Tests credentials in every source of a result, and searches the bytes of all stored files for them. */
import { parseScript, startRehearsal } from "@bridle/rehearsal";
import { expect, onTestFinished, test } from "vitest";
import { createTestProject, script } from "./test-project.ts";

const planted = {
  ofEnvironment: "planted-tulip-9931-environment",
  ofFile: "planted-rose-4472-typed-in-the-file",
  ofServer: "planted-daisy-1188-in-a-header",
  ofForm: `sk-ant-api03-${"Ab9".repeat(31)}AA`,
};

test("no credential is in any byte of results, event log, progress or return values", async () => {
  const { ofEnvironment, ofFile, ofForm, ofServer } = planted;
  const server = await startRehearsal({
    script: parseScript(
      script(
        `{ when: { user: Ask }, steps: [{ say: Key ${ofForm}., call: leak, with: { api_key: anything-at-all, text: ${ofEnvironment} } }, { say: "It is ${ofEnvironment} and ${ofFile} and ${ofForm}." }] }`,
        `{ steps: [{ object: { reason: "Saw ${ofEnvironment} and ${ofForm}.", score: 3 } }] }`,
      ),
    ),
  });
  onTestFinished(() => server.close());
  const testProject = await createTestProject({
    "agent.yaml": `name: desk
description: "Knows \${SECRET_WORD}"
model: { provider: anthropic, name: m, api_key: "\${SECRET_WORD}", endpoint: "${server.url}" }
instructions: { inline: "Never say \${SECRET_WORD}." }
tools: [{ type: function, name: leak, file: leak.mjs, function: leak }]
evaluations:
  model: { provider: anthropic, name: judge, api_key: "${ofFile}", endpoint: "${server.url}" }
  metrics:
    - { type: geval, name: kindness, criteria: "Not \${SECRET_WORD}", evaluation_steps: [Look.] }
    - { type: code, name: mine, file: leak.mjs, function: grade }
    - { type: code, name: broken, file: leak.mjs, function: fail }
    - { type: standard, metric: contains, value: "\${SECRET_WORD}!" }
test_cases:
  - name: "About \${SECRET_WORD}"
    input: "Ask about \${SECRET_WORD} and ${ofForm}"
    ground_truth: "It is \${SECRET_WORD}"
    retrieval_context: ["All of \${SECRET_WORD}"]
    expected_tools: [{ name: leak, args: { text: "not \${SECRET_WORD}" } }]
`,
    "leak.mjs": `export const leak = {
  name: "leak", description: "Leaks.", annotations: { readOnly: true },
  input: { jsonSchema: { type: "object", properties: {} }, problems: () => [] },
  execute: async () => ({ markdown: "${ofEnvironment} ${ofForm}", structured: { deep: ["${ofForm}", { password: "${ofServer}" }] } }),
};
export const grade = ({ answer }) => ({ score: 0, reason: "It said " + answer + " and ${ofForm}" });
export const fail = () => { throw new Error("${ofEnvironment} ${ofForm}"); };
`,
  });
  const run = await testProject.test({ rehearse: undefined }, { SECRET_WORD: ofEnvironment });
  expect(run.cases[0]?.trials[0]?.turns[0]?.metrics).toHaveLength(4);
  expect(run.cases[0]?.trials[0]?.turns[0]?.transcript.length).toBeGreaterThan(3);
  const texts = [JSON.stringify(run), JSON.stringify(testProject.progress), ...(await testProject.kept())];
  expect(texts.length).toBeGreaterThan(3);
  for (const secret of Object.values(planted)) {
    expect(texts.filter((text) => text.includes(secret)).map((text) => text.slice(0, 300))).toEqual([]);
  }
  expect(JSON.stringify(run.plan.configuration)).toContain("Knows ${SECRET_WORD}");
  expect(JSON.stringify(run.plan.configuration)).not.toContain('api_key":"planted');
});

test("no part and no other spelling of a credential is in the expected texts of metrics", async () => {
  const planted = `Planted.${"LONG-Tulip-".repeat(60)}`;
  const metric = "type: standard, metric:";
  const testProject = await createTestProject({
    "agent.yaml": `name: desk
model: { provider: anthropic, name: m }
instructions: { inline: Be kind. }
test_cases:
  - name: key
    input: "What is the key?"
    ground_truth: "\${SECRET_WORD}"
    evaluations:
      - { ${metric} exact_match }
      - { ${metric} rougeL }
      - { ${metric} equality }
      - { ${metric} contains, value: "\${SECRET_WORD}" }
      - { ${metric} equality, value: "\${SECRET_WORD}" }
  - { name: same, input: Say it, evaluations: [{ ${metric} contains, value: "\${SECRET_WORD}" }] }
`,
    "script.yaml": script(`{ when: { user: Say }, steps: [{ say: "It is ${planted}" }] }`, "{ steps: [{ say: No. }] }"),
  });
  const run = await testProject.test({}, { SECRET_WORD: planted });
  expect(run.cases.map(({ outcome }) => outcome)).toEqual(["failed", "passed"]);
  const texts = [JSON.stringify(run), JSON.stringify(testProject.progress), ...(await testProject.kept())];
  for (const text of texts) expect(text.toLowerCase()).not.toMatch(/planted\W?long|tulip/);
});

test("two cases whose names differ only in credentials are refused", async () => {
  const testProject = await createTestProject({
    "agent.yaml": `name: desk
model: { provider: anthropic, name: m }
instructions: { inline: Be kind. }
test_cases: [{ name: "of \${ONE_TOKEN}", input: a }, { name: "of \${TWO_TOKEN}", input: b }]
`,
    "script.yaml": script("{ steps: [{ say: text }] }"),
  });
  const tested = testProject.test({}, { ONE_TOKEN: "planted-one", TWO_TOKEN: "planted-two" });
  await expect(tested).rejects.toThrow('two test cases with the name "[secret');
});

test("a credential that is a word of the schema leaves a readable result", async () => {
  const testProject = await createTestProject({
    "agent.yaml": `name: desk
model: { provider: anthropic, name: m }
instructions: { inline: Be kind. }
test_cases: [{ name: passed, input: user, evaluations: [{ type: standard, metric: contains, value: text }] }]
`,
    "script.yaml": script("{ steps: [{ say: text }] }"),
  });
  const run = await testProject.test(
    {},
    { ONE_TOKEN: "passed", TWO_TOKEN: "user", THREE_TOKEN: "text", FOUR_TOKEN: "natural" },
  );
  expect(run.summary).toMatchObject({ cases: 1 });
  expect(run.cases[0]?.trials[0]?.turns[0]).toMatchObject({ input: "[secret TWO_TOKEN]", stopReason: "natural" });
});
