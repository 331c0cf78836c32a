/** Tests the same cases on the real Claude Code and on a model API. */
import { expect, test } from "vitest";
import { createTestProject, head, script, trialOf, withTools } from "./test-project.ts";

const answered = "evaluations: [{ type: standard, metric: contains, value: shipped }]";

test("the same file on two backends has comparable results", async () => {
  const testProject = await createTestProject({
    "agent.yaml": `${head}${withTools}test_cases:
  - { name: status, input: Ask about it, expected_tools: [{ name: lookup, args: { id: A-1 } }], ${answered} }
  - { name: removal, input: Remove it, expected_tools: [{ name: remove, outcome: denied }], ${answered} }
  - name: talk
    ${answered}
    turns: [{ input: First }, { input: Second }]
`,
    "script.yaml": script(
      "{ when: { user: Ask }, steps: [{ call: lookup, with: { id: A-1 } }, { say: It has shipped. }] }",
      "{ when: { user: Remove }, steps: [{ call: remove, with: { id: A-1 } }, { say: It has shipped. }] }",
      "{ steps: [{ say: It has shipped. }] }",
    ),
  });
  const runs = [
    await testProject.test({ parallel: 2 }),
    await testProject.test({ parallel: 2, backend: "claude-code" }),
  ];
  for (const run of runs) {
    expect(run.cases.map(({ name, outcome, trials }) => [name, outcome, trials[0]?.failures])).toEqual([
      ["status", "passed", []],
      ["removal", "passed", []],
      ["talk", "passed", []],
    ]);
    expect(trialOf(run, "status").turns[0]?.transcript).toMatchObject([
      { kind: "user", text: "Ask about it" },
      { kind: "call", tool: "lookup", input: { id: "A-1" }, state: "succeeded", structured: { id: "A-1" } },
      { kind: "text", text: "It has shipped." },
    ]);
    expect(trialOf(run, "removal").turns[0]?.transcript[1]).toMatchObject({ state: "denied", rule: "side-effects" });
  }
  expect(runs.map(({ plan }) => plan.backend)).toEqual(["anthropic", "claude-code"]);
  expect(runs[1]?.plan.versions).toMatchObject({ bridle: expect.any(String), "claude-code": expect.any(String) });
  expect(new Set(runs.map(({ plan }) => plan.fingerprint)).size).toBe(1);
  expect(await testProject.calls()).toEqual(["lookup A-1", "lookup A-1"]);
});
