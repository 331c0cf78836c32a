/** Tests why a judged metric has no score, and which errors end the whole invocation instead. */
// biome-ignore-all lint/suspicious/noTemplateCurlyInString: this is how the file refers to the environment
import { expect, test } from "vitest";
import { MetricError } from "../src/result/planned-metric.ts";
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
} from "./judge-project.ts";

const failureOf = async (...testProject: Parameters<typeof openJudges>) => {
  const { planned, starts } = await openJudges(...testProject);
  const error: unknown = await score(planned[0]).catch((thrown: unknown) => thrown);
  return { error, starts };
};

test("a judge without a key is an error with the position in the agent file", async () => {
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

test("a judge whose key variable is not set is an error, also for a metric's own model", async () => {
  const own = withOwn('{ provider: openai, name: gpt, api_key: "${JUDGE_KEY}" }');
  const { error } = await failureOf({ yaml: `${host}evaluations:\n  metrics:\n    - ${own}\n` });
  expect(error).toMatchObject({
    message: expect.stringMatching(
      /^it has no judge: agent\.yaml:6:\d+: backend: openai needs evaluations\.metrics\.0\.model\.api_key, .*Set JUDGE_KEY in the environment\./,
    ),
  });
});

test("a metric has no score if the project has no model", async () => {
  const { error } = await failureOf({
    yaml: `evaluations: { metrics: [${polite}] }\n`,
    project: "llm: { provider: { backend: none } }\n",
  });
  expect(error).toMatchObject({ name: "MetricError", message: expect.stringMatching(/^it has no judge: /) });
});

test("a judge that is refused before its first answer fails only its metrics", async () => {
  const { error } = await failureOf({
    yaml: `${host}evaluations: { ${judge}metrics: [${polite}] }\n`,
    script: "turns: [{ steps: [{ status: 401, error_type: authentication_error, message: no such key }] }]\n",
  });
  expect(error).toMatchObject({ name: "MetricError", message: expect.stringMatching(/^it has no judge: /) });
});

test("a judge that the agent's own host refuses ends the invocation", async () => {
  const { error } = await failureOf({
    yaml: `${host}evaluations: { metrics: [${polite}] }\n`,
    script: "turns: [{ steps: [{ status: 401, error_type: authentication_error, message: no such key }] }]\n",
  });
  expect(error).toMatchObject({ name: "AuthenticationError" });
});

test("a used-up window of a judge ends the invocation", async () => {
  const { error } = await failureOf({
    yaml: `${host}evaluations: { model: { provider: anthropic, name: opus, api_key: j }, metrics: [${polite}] }\n`,
    script: "turns: [{ steps: [{ limit: { resets_in_seconds: 60 } }] }]\n",
  });
  expect(error).toMatchObject({ name: "UsageLimitError", resetsAt: expect.any(Date) });
});

test("a metric has no score if the judge's answers do not fit, but has its usage", async () => {
  const nonsense = "{ reason: Great., score: 11 }";
  const { error, starts } = await failureOf({
    yaml: `${host}evaluations: { ${judge}metrics: [${polite}] }\n`,
    script: given(nonsense, nonsense, nonsense),
  });
  expect(error).toMatchObject({
    name: "MetricError",
    message:
      "the judge's answer does not match the schema: score: is not a whole number from 0 to 10. The judge did not correct it when asked again. Choose another model in evaluations.model.",
    judgement: { runIds: [starts()[0]?.runId], usage: { inputTokens: 150, outputTokens: 15 } },
  });
});

test("a metric has no score if the answers of the agent's own model as the judge do not fit, but has its usage", async () => {
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

test("a judge that is refused after an answer ends the invocation", async () => {
  const refused = "steps: [{ status: 401, error_type: authentication_error, message: no such key }]";
  const { error, starts } = await failureOf({
    yaml: `${host}evaluations: { ${judge}metrics: [${faithful}] }\n`,
    script: claimsAndVerdicts.replace(/(Give one verdict \}), .*/, `$1, ${refused} }`),
  });
  expect(error).toMatchObject({ name: "AuthenticationError" });
  expect(starts()).toHaveLength(2);
});

test("a failing host of a judge is the cause of the metric's error", async () => {
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

test("a metric without its facts has no score and asks no judge", async () => {
  const { planned, starts } = await openJudges({
    yaml: `${host}evaluations: { metrics: [${faithful}] }\n`,
    script: seven,
  });
  const { groundTruth: _none, ...without } = turn;
  await expect(score(planned[0], { ...without, retrievalContext: [] })).rejects.toThrow("there is no retrieved text.");
  expect(starts()).toEqual([]);
});

test("an aborted metric rejects with the error of the run", async () => {
  const { planned } = await openJudges({
    yaml: `${host}evaluations: { ${judge}metrics: [${polite}] }\n`,
    script: "turns: [{ steps: [{ say: Well, stall: true }] }]\n",
  });
  const controller = new AbortController();
  const scoring = score(planned[0], turn, controller.signal);
  setTimeout(() => controller.abort(), 200);
  await expect(scoring).rejects.toMatchObject({ code: "stopped" });
});
