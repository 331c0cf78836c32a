/** Why a metric that a model judges has no score, and what ends the whole invocation instead. */
// biome-ignore-all lint/suspicious/noTemplateCurlyInString: this is how the file refers to the environment
import { expect, test } from "vitest";
import { MetricError } from "../src/metrics/planned-metric.ts";
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
  withOwn,
} from "./judge-stage.ts";

const failureOf = async (...stage: Parameters<typeof openJudges>) => {
  const { planned, starts } = await openJudges(...stage);
  const error: unknown = await score(planned[0]).catch((thrown: unknown) => thrown);
  return { error, starts };
};

test("a metric has no score where its judge has no key, in the words of the agent's file, and at the place there", async () => {
  const { error } = await failureOf({
    yaml: `${host}evaluations:\n  model: { provider: openai, name: gpt-6-sol }\n  metrics: [${polite}]\n`,
  });
  expect(error).toBeInstanceOf(MetricError);
  expect(error).toMatchObject({
    judgement: undefined,
    message: expect.stringMatching(
      /^it has no judge: agent\.yaml:5:\d+: backend: openai needs evaluations\.model\.api_key, which is missing\. Write "api_key: \$\{OPENAI_API_KEY\}" under evaluations\.model in agent\.yaml/,
    ),
  });
});

test("a metric has no score where the variable of its key is not set, for a metric's own model, too", async () => {
  const own = withOwn('{ provider: openai, name: gpt, api_key: "${JUDGE_KEY}" }');
  const { error } = await failureOf({ yaml: `${host}evaluations:\n  metrics:\n    - ${own}\n` });
  expect(error).toMatchObject({
    message: expect.stringMatching(
      /^it has no judge: agent\.yaml:6:\d+: backend: openai needs evaluations\.metrics\.0\.model\.api_key, .*Set JUDGE_KEY in the environment\./,
    ),
  });
});

test("a metric has no score where the project has no model", async () => {
  const { error } = await failureOf({
    yaml: `evaluations: { metrics: [${polite}] }\n`,
    project: "llm: { provider: { backend: none } }\n",
  });
  expect(error).toMatchObject({ name: "MetricError", message: expect.stringMatching(/^it has no judge: /) });
});

test("a metric has no score where its judge is refused before it ever answered, which ends nothing else", async () => {
  const { error } = await failureOf({
    yaml: `${host}evaluations: { ${judge}metrics: [${polite}] }\n`,
    script: "turns: [{ steps: [{ status: 401, error_type: authentication_error, message: no such key }] }]\n",
  });
  expect(error).toMatchObject({ name: "MetricError", message: expect.stringMatching(/^it has no judge: /) });
});

test("a metric has no score where the agent's own host refuses the judge: that ends the invocation", async () => {
  const { error } = await failureOf({
    yaml: `${host}evaluations: { metrics: [${polite}] }\n`,
    script: "turns: [{ steps: [{ status: 401, error_type: authentication_error, message: no such key }] }]\n",
  });
  expect(error).toMatchObject({ name: "AuthenticationError" });
});

test("a metric has no score where a window is used up: that ends the invocation, too", async () => {
  const { error } = await failureOf({
    yaml: `${host}evaluations: { model: { provider: anthropic, name: opus, api_key: j }, metrics: [${polite}] }\n`,
    script: "turns: [{ steps: [{ limit: { resets_in_seconds: 60 } }] }]\n",
  });
  expect(error).toMatchObject({ name: "UsageLimitError", resetsAt: expect.any(Date) });
});

test("a metric has no score where the judge answers nonsense, also when asked again; what it used is told", async () => {
  const nonsense = "{ reason: Great., score: 11 }";
  const { error, starts } = await failureOf({
    yaml: `${host}evaluations: { ${judge}metrics: [${polite}] }\n`,
    script: given(nonsense, nonsense, nonsense),
  });
  expect(error).toMatchObject({
    name: "MetricError",
    message:
      "the judge answered nonsense: score: is not a whole number from 0 to 10. It was asked again, and did not mend it. Choose another model in evaluations.model.",
    judgement: { runIds: [starts()[0]?.runId], usage: { inputTokens: 150, outputTokens: 15 } },
  });
});

test("a metric has no score where the agent's own model answers nonsense as the judge; what it used is told", async () => {
  const nonsense = "{ verdicts: [{ number: 2, reason: So., holds: true }] }";
  const { error } = await failureOf({
    yaml: `${host}evaluations: { metrics: [{ type: rag, metric_type: contextual_precision }] }\n`,
    script: given(nonsense, nonsense, nonsense),
  });
  expect(error).toMatchObject({
    message: expect.stringContaining("verdicts: There is a verdict on 2, which was not asked about."),
    judgement: { usage: { inputTokens: 150, outputTokens: 15 }, runIds: [expect.any(String)] },
  });
});

test("a metric has no score where a judge that has answered is refused: that ends the invocation", async () => {
  const refused = "steps: [{ status: 401, error_type: authentication_error, message: no such key }]";
  const { error, starts } = await failureOf({
    yaml: `${host}evaluations: { ${judge}metrics: [${faithful}] }\n`,
    script: claimsAndVerdicts.replace(/(Give one verdict \}), .*/, `$1, ${refused} }`),
  });
  expect(error).toMatchObject({ name: "AuthenticationError" });
  expect(starts()).toHaveLength(2);
});

test("a metric has no score where the host of the judge fails, with the error of the host as its cause", async () => {
  const { error } = await failureOf({
    yaml: `${host}evaluations: { ${judge}metrics: [${polite}] }\n`,
    script:
      "turns: [{ steps: [{ status: 400, error_type: invalid_request_error, message: too strange, forever: true }] }]\n",
  });
  expect(error).toMatchObject({
    message: expect.stringMatching(/^its judge failed: /),
    cause: { code: "invalid_request" },
  });
});

test("a metric has no score where there is nothing to judge, and then nobody is asked", async () => {
  const { planned, starts } = await openJudges({
    yaml: `${host}evaluations: { metrics: [${faithful}] }\n`,
    script: seven,
  });
  const { groundTruth: _none, ...without } = turn;
  await expect(score(planned[0], { ...without, retrievalContext: [] })).rejects.toThrow("there is no retrieved text.");
  expect(starts()).toEqual([]);
});

test("a metric has no score where it is called off, with the error of the run", async () => {
  const { planned } = await openJudges({
    yaml: `${host}evaluations: { ${judge}metrics: [${polite}] }\n`,
    script: "turns: [{ steps: [{ say: Well, stall: true }] }]\n",
  });
  const controller = new AbortController();
  const scoring = score(planned[0], turn, controller.signal);
  setTimeout(() => controller.abort(), 200);
  await expect(scoring).rejects.toMatchObject({ code: "stopped" });
});
