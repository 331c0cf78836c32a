/** Compares one agent file on two hosts, one of which is the real Claude Code. The comparison shows only differences of the agent. */
import { expect, test } from "vitest";
import { compareTestRuns } from "../src/compare/compare-test-runs.ts";
import { transcriptLines } from "../src/compare/transcript-lines.ts";
import { readTestRun } from "../src/log/read-test-run.ts";
import { createTestProject, head, script, trialOf, withTools } from "./test-project.ts";

const contains = "evaluations: [{ type: standard, metric: contains, value: shipped }]";
const cases = `test_cases:
  - { name: order, input: Where is A-1?, expected_tools: [{ name: lookup, args: { id: A-1 } }], ${contains} }
  - { name: thanks, input: Thank you., ${contains} }
`;
const answers = (last: string) =>
  script(
    "{ when: { user: A-1 }, steps: [{ say: Let me look., call: lookup, with: { id: A-1 } }, { say: It has shipped. }] }",
    `{ when: { user: Thank }, steps: [{ say: "${last}" }] }`,
  );

test("a case is the same on both backends, and a failing one shows the difference", {
  timeout: 120_000,
}, async () => {
  const testProject = await createTestProject({
    "agent.yaml": `${head}${withTools}${cases}`,
    "script.yaml": answers("It has shipped, as I said."),
  });
  const there = await testProject.test();
  await testProject.write({ "script.yaml": answers("You are welcome.") });
  const here = await testProject.test({ backend: "claude-code" });
  const folder = `${testProject.folder}/.bridle/test-runs`;
  expect([there.id, here.id].map((id) => readTestRun(folder, id))).toEqual([there, here]);
  expect(readTestRun(folder, "previous").id).toBe(there.id);

  const [first, second] = [there, here].map((run) => transcriptLines(trialOf(run, "order").turns));
  expect(first).toEqual(second);
  const comparison = compareTestRuns(there, here);
  expect(comparison.cases).toMatchObject([
    { name: "order", change: "still-passing", transcript: null },
    {
      name: "thanks",
      change: "broken",
      before: "passed",
      after: "failed",
      transcript: {
        beforeTrial: 1,
        afterTrial: 1,
        lines: [
          "@@ -1,4 +1,4 @@",
          " User:",
          "   Thank you.",
          " Agent:",
          "-  It has shipped, as I said.",
          "+  You are welcome.",
        ],
      },
    },
  ]);
  expect(comparison.differences).toContainEqual({ what: "backend", before: "anthropic", after: "claude-code" });
  expect(comparison.metrics).toMatchObject([
    { name: 'contains "shipped"', mean: { before: 1, after: 0.5, delta: -0.5 } },
  ]);
  expect(comparison.warnings).toEqual([]);
});
