// biome-ignore-all lint/suspicious/noTemplateCurlyInString: this is how the file refers to the environment
/** Tests every way in which a case can fail, with its reason. A test never passes by accident. */
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { parseScript, startRehearsal } from "@bridle/rehearsal";
import { describe, expect, onTestFinished, test } from "vitest";
import { createTestProject, head, script, trialOf, withTools } from "./test-project.ts";

const shipped = "{ steps: [{ say: It has shipped. }] }";
const keyless = '{ provider: anthropic, name: judge, api_key: "${NO_SUCH_KEY}" }';
const contains = "evaluations: [{ type: standard, metric: contains, value: shipped }]";

async function one(files: Readonly<Record<string, string>>) {
  const testProject = await createTestProject({ "script.yaml": script(shipped), ...files });
  const run = await testProject.test();
  const [found] = run.cases;
  if (found === undefined) throw new Error("There is no case.");
  return { run, testProject, found, trial: trialOf(run, found.name) };
}

const agent = (cases: string, rest = "") => ({ "agent.yaml": `${head}${rest}test_cases:\n${cases}` });

test("a case passes if its metrics and expected tools do, and has the whole transcript", async () => {
  const { run, trial, testProject } = await one({
    ...agent(
      `  - { name: status, input: Where is A-1?, expected_tools: [{ name: lookup, args: { id: A-1 } }], ${contains} }\n`,
      withTools,
    ),
    "script.yaml": script(
      "{ steps: [{ say: Let me look., call: lookup, with: { id: A-1 } }, { say: It has shipped. }] }",
    ),
  });
  expect(trial).toMatchObject({ outcome: "passed", failures: [], case: "status", trial: 1, sessionId: null });
  expect(trial.turns).toMatchObject([
    {
      input: "Where is A-1?",
      answer: "It has shipped.",
      stopReason: "natural",
      steps: 2,
      object: null,
      model: "claude-rehearsed",
      expectedTools: [{ ok: true, message: null }],
      metrics: [{ name: 'contains "shipped"', outcome: "passed", score: 1 }],
      transcript: [
        { kind: "user", text: "Where is A-1?" },
        { kind: "text", text: "Let me look." },
        {
          kind: "call",
          tool: "lookup",
          input: { id: "A-1" },
          state: "succeeded",
          structured: { id: "A-1" },
          output: "Order A-1 has shipped.",
          rule: "allow-all",
          step: 1,
        },
        { kind: "text", text: "It has shipped." },
      ],
    },
  ]);
  expect(run).toMatchObject({ state: "finished", stop: null, summary: { cases: 1, passed: 1, passRate: 1 } });
  expect(testProject.progress.map(({ type }) => type)).toEqual(["begun", "trial.started", "trial.finished", "ended"]);
});

describe("a case fails with a reason if", () => {
  test("the answer is empty, though its metrics would pass", async () => {
    const { trial } = await one({
      ...agent(`  - { input: Hi, evaluations: [{ type: standard, metric: steps, threshold: 5 }] }\n`),
      "script.yaml": script('{ steps: [{ say: " " }] }'),
    });
    expect(trial.turns[0]?.metrics).toMatchObject([{ outcome: "passed" }]);
    expect(trial).toMatchObject({
      outcome: "failed",
      failures: [
        {
          kind: "empty-answer",
          turn: 1,
          expected: "an answer",
          received: "nothing",
          message:
            "The agent answered nothing. Read the end of its transcript, and ask for an answer in its instructions.",
        },
      ],
    });
  });

  test("the answer has no visible character", async () => {
    const { trial } = await one({
      ...agent(`  - { input: Hi, evaluations: [{ type: standard, metric: steps, threshold: 5 }] }\n`),
      "script.yaml": script('{ steps: [{ say: "\\u200b \\ufeff\\u00ad" }] }'),
    });
    expect(trial).toMatchObject({ outcome: "failed", failures: [{ kind: "empty-answer", turn: 1 }] });
  });

  test("its metrics have the threshold 0, which every answer reaches", async () => {
    const metric = "{ type: standard, metric: contains, value: nowhere, threshold: 0 }";
    const { trial } = await one(agent(`  - { input: Hi, evaluations: [${metric}] }\n`));
    expect(trial).toMatchObject({ outcome: "failed", failures: [{ kind: "no-checks", turn: null }] });
    expect(trial.failures[0]?.message).toMatch(/^The threshold of every metric of the case is 0/);
    const { trial: measured } = await one(
      agent(`  - { input: Hi, evaluations: [${metric}, { type: standard, metric: contains, value: shipped }] }\n`),
    );
    expect(measured).toMatchObject({ outcome: "passed" });
  });

  test("a metric has no judge", async () => {
    const server = await startRehearsal({ script: parseScript(script(shipped)) });
    onTestFinished(() => server.close());
    const testProject = await createTestProject({
      "agent.yaml": `name: desk
model: { provider: anthropic, name: claude-rehearsed, api_key: key-of-nobody, endpoint: "${server.url}" }
instructions: { inline: Be kind. }
test_cases: [{ input: Hi, evaluations: [{ type: geval, name: kindness, criteria: It is kind., model: ${keyless} }] }]
`,
    });
    const trial = trialOf(await testProject.test({ rehearse: undefined }), "case 1");
    expect(trial).toMatchObject({ outcome: "failed", failures: [{ kind: "metric-error" }] });
    expect(trial.failures[0]?.message).toMatch(/^kindness could not run: it has no judge: .*NO_SUCH_KEY/);
  });

  test("a metric has no ground truth", async () => {
    const { trial } = await one(agent("  - { input: Hi, evaluations: [{ type: standard, metric: bleu }] }\n"));
    expect(trial).toMatchObject({ outcome: "failed", failures: [{ kind: "metric-error", turn: 1 }] });
    expect(trial.failures[0]?.message).toMatch(/^bleu could not run: the case has no ground_truth\. Write one/);
    expect(trial.turns[0]?.metrics).toMatchObject([{ name: "bleu", outcome: "errored", score: null }]);
  });

  test("expected_tools names a tool that the agent does not have", async () => {
    const { trial } = await one(agent("  - { input: Hi, expected_tools: [lokup] }\n", withTools));
    expect(trial.failures).toMatchObject([
      {
        kind: "unknown-tool",
        message: 'expected_tools names "lokup", but the agent has no such tool. Did you mean "lookup"?',
      },
    ]);
  });

  test("a tool that should have been called was not", async () => {
    const { trial } = await one(agent("  - { input: Hi, expected_tools: [lookup] }\n", withTools));
    expect(trial.failures).toMatchObject([{ kind: "expected-tools", received: "no call" }]);
  });

  test("every call of an expected tool failed", async () => {
    const project = (entry: string) => ({
      ...agent(`  - { input: Hi, expected_tools: [${entry}] }\n`, withTools),
      "script.yaml": script("{ steps: [{ call: lookup, with: { id: A-1 } }, { say: Done. }] }"),
    });
    const broken = async (entry: string) => {
      const testProject = await createTestProject(project(entry));
      const tools = await readFile(join(testProject.folder, "tools.mjs"), "utf8");
      await testProject.write({ "tools.mjs": tools.replace('note("lookup " + id)', 'throw new Error("no index")') });
      return trialOf(await testProject.test(), "case 1");
    };
    expect(await broken("lookup")).toMatchObject({
      outcome: "failed",
      failures: [{ kind: "expected-tools", message: expect.stringContaining("the call failed") }],
    });
    expect((await broken("{ name: lookup, outcome: executed }")).outcome).toBe("passed");
    expect((await broken("{ name: lookup, outcome: failed }")).outcome).toBe("passed");
    expect((await one(project("lookup"))).trial.outcome).toBe("passed");
  });

  test("an evaluator throws", async () => {
    const { trial } = await one({
      ...agent("  - { input: Hi, evaluations: [{ type: code, name: mine, file: grader.mjs, function: grade }] }\n"),
      "grader.mjs": 'export function grade() { throw new Error("out of ideas"); }\n',
    });
    expect(trial.failures).toMatchObject([{ kind: "metric-error", message: expect.stringContaining("out of ideas") }]);
    expect(trial.failures[0]?.message).toMatch(/^mine could not run: /);
  });

  test("the agent exceeds its time", async () => {
    const { trial } = await one({
      ...agent(`  - { input: Hi, ${contains} }\n`, "execution: { llm_timeout: 0.2 }\n"),
      "script.yaml": script("{ steps: [{ say: Let me think., stall: true }] }"),
    });
    expect(trial.failures).toMatchObject([
      {
        kind: "timeout",
        code: "timeout",
        message: "The run did not end within 0.2 s. Allow more time, or ask for less.",
      },
    ]);
    expect(trial.turns).toMatchObject([{ stopReason: "error", metrics: [] }]);
  });

  test("a tool never answers", async () => {
    const { trial } = await one({
      ...agent(
        `  - { input: Hi, ${contains} }\n`,
        "tools: [{ type: function, name: wait, file: wait.mjs, function: wait, description: Waits., parameters: {}, annotations: { read_only: true } }]\nexecution: { llm_timeout: 0.5 }\n",
      ),
      "wait.mjs": "export const wait = () => new Promise(() => {});\n",
      "script.yaml": script("{ steps: [{ call: wait, with: {} }, { say: It has shipped. }] }"),
    });
    expect(trial).toMatchObject({ outcome: "failed", failures: [{ kind: "timeout", code: "timeout" }] });
  });

  test("a tool was denied, with the way to allow it", async () => {
    const { trial, testProject } = await one({
      ...agent(`  - { input: Hi, ${contains} }\n`, withTools),
      "script.yaml": script("{ steps: [{ call: remove, with: { id: A-1 } }, { say: It has shipped. }] }"),
    });
    expect(trial.failures).toMatchObject([{ kind: "tool-denied" }]);
    expect(trial.failures[0]?.message).toMatch(
      /^A call of remove was denied by side-effects\. .*--allow-side-effects/s,
    );
    expect(await testProject.calls()).toEqual([]);
    await testProject.test({ allowSideEffects: true });
    expect(await testProject.calls()).toEqual(["remove A-1"]);
  });

  test("it has neither metrics nor expected tools", async () => {
    const { trial } = await one(agent("  - { input: Hi }\n"));
    expect(trial.turns).toMatchObject([{ answer: "It has shipped." }]);
    expect(trial.failures).toMatchObject([
      {
        kind: "no-checks",
        turn: null,
        message:
          "The case has neither a metric nor expected_tools, so nothing was tested. Write evaluations for the agent or the case, or expected_tools.",
      },
    ]);
  });

  test("none of its metrics is enabled", async () => {
    const off = "evaluations: [{ type: standard, metric: contains, value: shipped, enabled: false }]";
    expect((await one(agent(`  - { input: Hi, ${off} }\n`))).trial.failures).toMatchObject([{ kind: "no-checks" }]);
  });

  test("the answers of its judge do not fit", async () => {
    const { trial } = await one({
      ...agent("  - { input: Hi, evaluations: [{ type: geval, name: kindness, criteria: It is kind. }] }\n"),
      "script.yaml": script("{ when: { system: Be kind }, steps: [{ say: Hello. }] }", "{ steps: [{ say: What? }] }"),
    });
    expect(trial.failures).toMatchObject([{ kind: "metric-error" }]);
    expect(trial.failures[0]?.message).toMatch(
      /^kindness could not run: the judge's answer does not match the schema: /,
    );
  });

  test("the agent runs out of steps, with their number", async () => {
    const { trial } = await one({
      ...agent(
        `  - { input: Hi, ${contains}, expected_tools: [remove] }\n`,
        `${withTools}execution: { max_steps: 2 }\n`,
      ),
      "script.yaml": script("{ steps: [{ call: lookup, with: { id: A-1 }, forever: true }] }"),
    });
    expect(trial.failures).toMatchObject([
      {
        kind: "out-of-steps",
        turn: 1,
        expected: "an end within 2 steps",
        message: "The agent used up its 2 steps before it finished. Raise execution.max_steps, or give it less to do.",
      },
      { kind: "expected-tools" },
    ]);
    expect(trial.turns).toMatchObject([{ stopReason: "budget", steps: 2, metrics: [] }]);
  });

  test("one of its files cannot be read", async () => {
    const testProject = await createTestProject({
      ...agent(`  - { input: Hi, files: [{ path: bill.txt, type: text }], ${contains} }\n`),
      "script.yaml": script(shipped),
      "bill.txt": "",
    });
    const trial = trialOf(await testProject.test(), "case 1");
    expect(trial).toMatchObject({ outcome: "failed", failures: [{ kind: "setup", turn: 1 }] });
    expect(trial.failures[0]?.message).toContain("bill.txt");
    expect(trial.turns).toMatchObject([{ runId: null, stopReason: null, files: ["bill.txt"] }]);
  });

  test("its run ends with an error that is not the host's", async () => {
    const { trial } = await one({
      ...agent(`  - { input: Hi, ${contains} }\n`),
      "script.yaml": script("{ steps: [{ status: 400, error_type: invalid_request_error, message: Too odd. }] }"),
    });
    expect(trial).toMatchObject({ outcome: "failed", failures: [{ kind: "run", code: "invalid_request" }] });
  });
});

test("a ground truth that fits no metric is a warning before the first call, which names the case", async () => {
  const metrics = "evaluations: [{ type: standard, metric: exact_match }]";
  const project = await createTestProject({
    "agent.yaml": `${head}test_cases: [{ name: article, input: Hi, ground_truth: The, ${metrics} }]\n`,
    "script.yaml": script("{ steps: [{ say: The }] }"),
  });
  await project.test();
  expect(project.progress[0]).toMatchObject({
    type: "begun",
    warnings: [
      expect.stringMatching(/The ground truth "The" of the test case "article" does not fit .* exact_match ignores/),
    ],
  });
});

test("if only the host fails, the case is neither passed nor failed", async () => {
  const { trial, run } = await one({
    ...agent(`  - { input: Hi, ${contains} }\n`),
    "script.yaml": script(
      "{ steps: [{ status: 529, error_type: overloaded_error, message: Busy., forever: true, headers: { retry-after: 0 } }] }",
    ),
  });
  expect(trial).toMatchObject({ outcome: "errored", failures: [{ kind: "backend", code: "overloaded" }] });
  expect(run.summary).toMatchObject({ errored: 1, passed: 0, failed: 0 });
});

test("zeros count in averages, and a metric with other settings is another metric", async () => {
  const metrics = `evaluations:
  metrics:
    - { type: standard, metric: contains, value: shipped }
    - { type: standard, metric: contains, value: tomorrow }
`;
  const { run } = await one({
    ...agent("  - { name: a, input: One }\n  - { name: b, input: Two }\n", metrics),
    "script.yaml": script(
      "{ when: { user: One }, steps: [{ say: It has shipped. }] }",
      "{ steps: [{ say: It comes tomorrow. }] }",
    ),
  });
  expect(run.summary.metrics.map(({ name, mean, scores }) => [name, mean, scores])).toEqual([
    ['contains "shipped"', 0.5, 2],
    ['contains "tomorrow"', 0.5, 2],
  ]);
});
