/** Tests judges through runtimes, with models that follow a script. */
import { createRuntime } from "@bridle/project";
import { describe, expect, test } from "vitest";
import {
  claimsAndVerdicts,
  faithful,
  given,
  host,
  judge,
  openJudges,
  polite,
  score,
  seven,
  turn,
  whole,
  withOwn,
} from "./judge-project.ts";

describe("a judged metric", () => {
  test("has the judge's score, reason and evidence, the judge and its usage", async () => {
    const { planned, starts } = await openJudges({
      yaml: `${host}evaluations: { ${judge}metrics: [${faithful}] }\n`,
      script: claimsAndVerdicts,
    });
    expect(planned[0]).toMatchObject({
      name: "faithfulness",
      type: "rag",
      metric: "faithfulness",
      threshold: 0.5,
      passes: "at-least",
      unit: null,
    });
    const scored = await score(planned[0]);
    expect(scored).toMatchObject({
      score: 1,
      reason: "1 of 1 claims are supported by the retrieved text.",
      evidence: { claims: [{ text: "Thirty days.", holds: true, reason: "It says so." }] },
      judgement: {
        backend: "openai",
        model: "gpt-6-sol",
        cost: null,
        usage: { inputTokens: 300, outputTokens: 30 },
      },
    });
    expect(scored.judgement?.runIds).toEqual(starts().map(({ runId }) => runId));
    expect(starts()[0]).toMatchObject({
      operation: "object",
      backend: "openai",
      model: "gpt-6-sol",
      role: "judge",
      labels: { test: "20261122-1", case: "returns", turn: "1", metric: "faithfulness" },
    });
  });

  test("has the name and the threshold of the file", async () => {
    const { planned } = await openJudges({
      yaml: `${host}evaluations: { metrics: [${polite}, ${whole}] }\n`,
      script: seven,
    });
    expect(planned).toMatchObject([
      { name: "polite", type: "geval", metric: "geval", threshold: 0.5 },
      { name: "whole", type: "rubric", metric: "rubric", threshold: 0.8 },
    ]);
  });

  test("has the score of a rubric's level", async () => {
    const script = given("{ reason: It is all there., level: 2 }");
    const { planned } = await openJudges({ yaml: `${host}evaluations: { metrics: [${whole}] }\n`, script });
    expect(await score(planned[0])).toMatchObject({ score: 0.9, reason: "It is all there." });
  });

  test("asks for no reason if the file wants none", async () => {
    const bare = claimsAndVerdicts.replace("reason: It says so., ", "");
    const metric = "{ type: rag, metric_type: faithfulness, include_reason: false }";
    const { planned } = await openJudges({ yaml: `${host}evaluations: { metrics: [${metric}] }\n`, script: bare });
    const scored = await score(planned[0]);
    expect(scored.evidence).toEqual({ claims: [{ text: "Thirty days.", holds: true }] });
    expect(scored).not.toHaveProperty("reason");
  });

  test("makes the steps of its criteria once for all cases", async () => {
    const metric = "{ type: geval, name: polite, criteria: It is polite. }";
    const script = `turns:
  - { when: { user: List three to five }, steps: [{ object: { steps: [Look for please.] } }] }
  - { when: { user: Look for please }, steps: [{ object: { reason: Fine., score: 10 } }] }
`;
    const { planned, starts } = await openJudges({
      yaml: `${host}evaluations: { metrics: [${metric}, ${metric}] }\n`,
      script,
    });
    const scores = await Promise.all([score(planned[0]), score(planned[1], { ...turn, answer: "Please." })]);
    expect(scores.map((each) => each.score)).toEqual([1, 1]);
    expect(starts()).toHaveLength(3);
  });
});

describe("the judge", () => {
  test("is the metric's model, else the model of evaluations, and each model has one runtime", async () => {
    const own = withOwn("{ provider: ollama, name: llama }");
    let opened = 0;
    const { planned, starts } = await openJudges({
      yaml: `${host}evaluations: { ${judge}metrics: [${polite}, ${own}, ${own}, ${polite}] }\n`,
      script: seven,
      options: {
        createRuntime(options) {
          opened += 1;
          return createRuntime(options);
        },
      },
    });
    expect(opened).toBe(1); // the agent's own judge
    for (const metric of planned) await score(metric);
    expect(starts().map(({ backend, model }) => [backend, model])).toEqual([
      ["openai", "gpt-6-sol"],
      ["openai-compatible", "llama"],
      ["openai-compatible", "llama"],
      ["openai", "gpt-6-sol"],
    ]);
    expect(opened).toBe(3);
  });

  test("is the role judge of the agent's own runtime if the file names none", async () => {
    const { planned, starts, judges } = await openJudges({
      yaml: `evaluations: { metrics: [${polite}] }\n`,
      project: "llm: { provider: { backend: anthropic }, models: { default: sonnet, judge: opus } }\n",
      script: seven,
    });
    expect(await score(planned[0])).toMatchObject({ score: 0.7, judgement: { backend: "anthropic" } });
    expect(starts()).toMatchObject([{ model: expect.stringContaining("opus"), role: "judge" }]);
    expect(judges.warnings).toEqual([]);
  });

  test("is the one of the file even if options choose another backend and model for the agent", async () => {
    const { planned, starts } = await openJudges({
      yaml: `${host}evaluations: { ${judge}metrics: [${polite}] }\n`,
      script: seven,
      options: { backend: "claude-code", model: "haiku" },
    });
    await score(planned[0]);
    expect(starts()).toMatchObject([{ backend: "openai", model: "gpt-6-sol" }]);
  });

  test("is asked at temperature 0, or at the temperature of its model", async () => {
    const own = withOwn("{ provider: openai, name: gpt, api_key: k, temperature: 0.5, top_p: 0.9, max_tokens: 900 }");
    const requests: unknown[] = [];
    const { planned } = await openJudges({
      yaml: `${host}evaluations: { ${judge}metrics: [${polite}, ${own}] }\n`,
      script: seven,
      options: {
        async createRuntime(options) {
          const runtime = await createRuntime(options);
          const generateObject: typeof runtime.generateObject = (request) => {
            requests.push(request);
            return runtime.generateObject(request);
          };
          return { ...runtime, generateObject };
        },
      },
    });
    for (const metric of planned) await score(metric);
    expect(requests).toMatchObject([
      { role: "judge", temperature: 0 },
      { role: "judge", temperature: 0.5, topP: 0.9, maxOutputTokens: 900 },
    ]);
    expect(requests[0]).not.toHaveProperty("maxOutputTokens");
  });

  test("is asked on the real Claude Code, with a notice that temperature is not supported", async () => {
    const { planned, events, starts } = await openJudges({
      yaml: `evaluations: { model: { provider: claude-code, name: sonnet }, metrics: [${polite}] }\n`,
      script: seven,
    });
    expect(await score(planned[0])).toMatchObject({ score: 0.7, judgement: { backend: "claude-code" } });
    expect(starts()).toMatchObject([{ backend: "claude-code", tools: [], builtins: [] }]);
    expect(events).toContainEqual(expect.objectContaining({ type: "notice", code: "sampling-unsupported" }));
  });
});

describe("a warning about a model that judges itself", () => {
  const project = "llm: { provider: { backend: anthropic, apiKey: k }, models: { default: sonnet } }\n";
  const warningsFor = async (yaml: string, more = project) =>
    (await openJudges({ yaml, project: more })).judges.warnings;

  test("appears if no other model is the judge", async () => {
    const [warning, ...others] = await warningsFor(`evaluations: { metrics: [${polite}, ${whole}] }\n`);
    expect(others).toEqual([]);
    expect(warning).toBe(
      "The agent's own model judges its answers, because no judge is set, and models favour their own answers. Set evaluations.model in agent.yaml, or llm.models.judge in bridle.yaml.",
    );
  });

  test("appears if only a turn of a case has such a metric", async () => {
    const yaml = `test_cases: [{ turns: [{ input: Hi, evaluations: [${polite}] }] }]\n`;
    expect(await warningsFor(yaml)).toHaveLength(1);
  });

  test.each([
    ["a judge is named", `evaluations: { ${judge}metrics: [${polite}] }\n`],
    ["each metric names a judge", `evaluations: { metrics: [${withOwn("{ provider: ollama, name: llama }")}] }\n`],
    ["the metric is disabled", `evaluations: { metrics: [${polite.replace("}", ", enabled: false }")}] }\n`],
    ["no metric needs a judge", "evaluations: { metrics: [{ type: standard, metric: f1 }] }\n"],
  ])("does not appear if %s", async (_, yaml) => {
    expect(await warningsFor(yaml)).toEqual([]);
  });

  test("does not appear if the role judge has another model", async () => {
    const bound = project.replace("default: sonnet", "default: sonnet, judge: opus");
    expect(await warningsFor(`evaluations: { metrics: [${polite}] }\n`, bound)).toEqual([]);
  });
});
