/** Tests which cases, turns and trials run, when they run, and the order of their results. */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { openProjectEventLog } from "@bridle/project";
import { expect, test } from "vitest";
import { createTestProject, head, script, trialOf, withTools } from "./test-project.ts";

const answered = "evaluations: [{ type: standard, metric: contains, value: answer }]";
const cases = (...names: string[]) =>
  `test_cases:\n${names.map((name) => `  - { name: ${name}, input: Ask ${name}, ${answered} }\n`).join("")}`;

test("trials run in parallel, and results are in the order of the file", async () => {
  const slow = (name: string, ms: number) =>
    `{ when: { user: Ask ${name} }, steps: [{ say: The answer., delay_ms: ${ms} }] }`;
  const testProject = await createTestProject({
    "agent.yaml": head + cases("a", "b", "c", "d"),
    "script.yaml": script(slow("a", 600), slow("b", 20), slow("c", 600), slow("d", 20)),
  });
  const run = await testProject.test({ parallel: 3 });
  expect(run.cases.map(({ name, outcome }) => [name, outcome])).toEqual(
    ["a", "b", "c", "d"].map((name) => [name, "passed"]),
  );
  const told = testProject.progress.flatMap((each) => {
    if (each.type === "trial.started") return [`+${each.case}`];
    return each.type === "trial.finished" ? [`-${each.result.case}`] : [];
  });
  expect(told.slice(0, 4)).toEqual(["+a", "+b", "+c", "-b"]);
  expect(told.indexOf("+d")).toBeLessThan(told.indexOf("-a"));
  expect(run.plan.parallel).toBe(3);
});

test("the file sets the default number of parallel trials, and a limit of the project slows them with a warning", async () => {
  const testProject = await createTestProject({
    "bridle.yaml": "llm: { limits: { maxConcurrency: 1 } }\n",
    "agent.yaml": `${head}execution: { parallel_test_cases: 2 }\n${cases("a", "b")}`,
    "script.yaml": script("{ steps: [{ say: The answer. }] }"),
  });
  expect((await testProject.test()).plan.parallel).toBe(2);
  const [begun] = testProject.progress;
  expect(begun?.type === "begun" && begun.warnings).toEqual([
    expect.stringMatching(
      /^llm\.limits\.maxConcurrency \(.*bridle\.yaml:1:\d+\) is 1, so one run is active at a time, not 2\./,
    ),
  ]);
});

test("turns of a case are runs of one session", async () => {
  const testProject = await createTestProject({
    "agent.yaml": `${head}test_cases:
  - name: talk
    ${answered}
    turns:
      - { input: First question }
      - { input: Second question, evaluations: [{ type: standard, metric: contains, value: second }] }
  - name: broken
    ${answered}
    turns: [{ input: Fail now }, { input: Never asked }]
`,
    "script.yaml": script(
      "{ when: { message: 2 }, steps: [{ say: The second one. }] }",
      "{ when: { user: Fail }, steps: [{ status: 400, error_type: invalid_request_error, message: No. }] }",
      "{ steps: [{ say: The first answer. }] }",
    ),
  });
  const run = await testProject.test();
  const talk = trialOf(run, "talk");
  expect(talk).toMatchObject({ outcome: "passed", failures: [] });
  expect(talk.turns.map(({ answer, metrics }) => [answer, metrics.map(({ name }) => name)])).toEqual([
    ["The first answer.", ['contains "answer"']],
    ["The second one.", ['contains "second"']],
  ]);
  expect(trialOf(run, "broken").turns).toHaveLength(1);
  expect(trialOf(run, "broken")).toMatchObject({ outcome: "failed", failures: [{ kind: "run", turn: 1 }] });
  const record = await openProjectEventLog({ projectDir: testProject.folder, environment: {} });
  const labels = { test: run.id, case: "talk", trial: "1", agent: "desk" };
  expect((await record.sessions()).find(({ sessionId }) => sessionId === talk.sessionId)).toMatchObject({
    runs: 2,
    labels,
  });
  for (const { runId } of talk.turns) expect(await record.read({ runId: runId ?? "" })).not.toEqual([]);
  record.close();
});

test("trials with different outcomes make a case flaky, with pass@k and pass^k by their formulas", async () => {
  const testProject = await createTestProject({
    "agent.yaml": `${head}${withTools}test_cases:
  - { name: a, input: Ask, expected_tools: [{ name: lookup, outcome: succeeded }] }
`,
    "script.yaml": script("{ steps: [{ call: lookup, with: {} }, { say: Done. }] }"),
    "tools.mjs": `import { appendFileSync, existsSync } from "node:fs";
export const lookup = {
  name: "lookup", description: "Finds an order.", annotations: { readOnly: true },
  input: { jsonSchema: { type: "object", properties: {} }, problems: () => [] },
  async execute() {
    const flag = new URL("./calls.txt", import.meta.url);
    if (existsSync(flag)) return "again";
    appendFileSync(flag, "lookup\\n");
    throw new Error("not yet");
  },
};
export const remove = { ...lookup, name: "remove" };
`,
  });
  const run = await testProject.test({ trials: 4, parallel: 1 });
  expect(run.cases[0]).toMatchObject({ outcome: "failed", flaky: true, passed: 3, trialsJudged: 4 });
  expect(run.cases[0]?.trials.map(({ outcome }) => outcome)).toEqual(["failed", "passed", "passed", "passed"]);
  expect(run.cases[0]?.statistics.map(({ passAtK, passHatK }) => [passAtK, passHatK])).toEqual([
    [0.75, 0.75],
    [1, 0.5],
    [1, 0.25],
    [1, 0],
  ]);
});

test("only the chosen cases run, and invalid options are refused before anything is stored", async () => {
  const testProject = await createTestProject({
    "agent.yaml": head + cases("one", "two", "three"),
    "script.yaml": script("{ steps: [{ say: The answer. }] }"),
  });
  const refused = async (options: Parameters<typeof testProject.test>[0], message: string) =>
    expect(testProject.test(options)).rejects.toThrow(message);
  await refused({ cases: ["tow"] }, 'agent.yaml has no test case "tow". Did you mean "two"?');
  await refused({ parallel: 0 }, "parallel is 0, but must be a whole number from 1.");
  await refused({ trials: 1001 }, "trials is 1001, but must be a whole number from 1 to 1000.");
  await refused({ trials: 1.5 }, "trials is 1.5, but must be a whole number from 1 to 1000.");
  await refused({ rehearse: join(testProject.folder, "none.yaml") }, "cannot be read");
  await refused({ signal: AbortSignal.abort() }, "stopped");
  await refused({ resume: "newest" }, "No tests were run yet");
  await testProject
    .write({ "agent.yaml": head + withTools.replace("tools.mjs", "gone.mjs") + cases("one") })
    .then(() => testProject.write({ "gone.mjs": "" }));
  await refused({}, "lookup");
  await testProject.write({
    "bridle.yaml": "policy: { rules: [{ tool: lokup, then: deny }] }\n",
    "agent.yaml": head + withTools + cases("one"),
  });
  await refused({}, 'the tool "lokup"');
  await testProject.write({ "bridle.yaml": "" });
  expect(existsSync(join(testProject.folder, ".bridle/test-runs"))).toBe(false);
  await testProject.write({ "agent.yaml": head + cases("one", "two", "three") });
  const run = await testProject.test({ cases: ["three", "one"] });
  expect(run.cases.map(({ name }) => name)).toEqual(["one", "three"]);
});
