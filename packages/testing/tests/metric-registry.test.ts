/** Tests that adding a metric takes only a definition and a line in the registry. */
import { createEvaluationsSchema, createMetricsSchema, type MetricConfig } from "@bridle/agent";
import { createRedactor } from "@bridle/core";
import { metrics } from "@bridle/metrics";
import { editorSchema } from "@bridle/project";
import { type MetricDefinition, TrustedFolder } from "@bridle/protocol";
import { expect, test } from "vitest";
import { z } from "zod";
import { agentReference } from "../../../scripts/reference/agent.ts";
import { withMetricTables, withWorkedExamples } from "../../../scripts/reference/metrics.ts";
import { factsForTests } from "../src/metrics/facts-for-tests.ts";
import { MetricPlanner } from "../src/metrics/metric-planner.ts";
import { formatScore, formatThreshold } from "../src/report/numbers.ts";
import { scoreTurn } from "../src/run/score-turn.ts";

const wordCount: MetricDefinition = {
  name: "word_count",
  type: "standard",
  kind: "measured",
  settings: { unit_of_text: z.enum(["word", "line"]).describe("What is counted.") },
  remedies: { unit_of_text: "Write word or line.", threshold: "Write the most words." },
  unit: { id: "words", format: (value) => `${value} words`, attach: (digits) => `${digits} words` },
  passes: "at-most",
  documentation: { summary: "how long the answer is", range: "0 and more", needs: "`unit_of_text`", cost: "none" },
  open:
    () =>
    ({ answer }) => ({ score: answer.split(" ").length, reason: "counted" }),
};
const registry = [...metrics, wordCount];

const metricsOf = createMetricsSchema(registry);
const evaluations = createEvaluationsSchema(metricsOf);
const config = { type: "standard", metric: "word_count", unit_of_text: "word", threshold: 2 };

test("an agent file accepts a new metric, and checks its settings", () => {
  expect(evaluations.parse({ metrics: [config] }).metrics).toEqual([config]);
  const messages = (metric: object) => metricsOf.safeParse([metric]).error?.issues.map(({ message }) => message);
  expect(messages({ type: "standard", metric: "word_count" })).toEqual([
    "is missing, and the metric word_count needs it. Write word or line.",
    "is missing, and the metric word_count needs it. Write the most words.",
  ]);
  expect(messages({ ...config, unit_of_text: "page" })).toEqual([expect.stringContaining('"word"|"line"')]);
  expect(messages({ type: "standard", metric: "f1", unit_of_text: "word" })).toEqual([
    "is not a setting of f1: word_count has it. Remove it.",
  ]);
  expect(() => createMetricsSchema().parse([config])).toThrow();
});

test("a new metric scores turns, and its results and failures have its unit", async () => {
  const judges = { judge: async () => Promise.reject("no judge") };
  const trusted = await TrustedFolder.require(undefined, []);
  const planner = new MetricPlanner({ trusted, folder: "/", judges, redactor: createRedactor(), registry });
  const planned = planner.plan([config as unknown as MetricConfig]);
  const { metrics: results, failures } = await scoreTurn(planned, factsForTests(), new AbortController().signal);
  expect(results).toMatchObject([
    { name: "word_count", type: "standard", metric: "word_count", outcome: "failed", score: 3, unit: "words" },
  ]);
  expect(failures).toMatchObject([{ message: "word_count: expected ≤ 2 words, got 3 words. counted" }]);
});

test("reports show a score in a unit that only its definition knows", () => {
  expect(formatScore(3, "words")).toBe("3 words");
  expect(formatThreshold({ passes: "at-most", threshold: 2, unit: "words" })).toBe("≤ 2 words");
});

test("the reference and the tables of metrics have a new metric", () => {
  const reference = agentReference(editorSchema(z.strictObject({ evaluations })));
  expect(reference).toContain(
    "| `evaluations.metrics[].unit_of_text` | `word`, `line` |  | `standard`: word_count: What is counted. |",
  );
  expect(reference).toContain("`steps`, `word_count`");
  const page = "<!-- metrics: computed -->\n<!-- /metrics -->";
  expect(withMetricTables(page, registry)).toContain(
    "| [`word_count`](../../reference/metrics/word_count.md) | how long the answer is | measured | 0 and more | none: write one | `unit_of_text` | none |",
  );
  const examples = Array.from({ length: 12 }, () => ({
    title: "two",
    given: { answer: "a b" },
    score: 2,
    source: "counted",
  }));
  const examplesPage = "<!-- worked examples: word_count -->\n<!-- /worked examples -->";
  const file = JSON.stringify({ metric: "word_count", examples });
  expect(withWorkedExamples(examplesPage, () => file)).toContain('| Two | answer: `"a b"` | 2 | counted |');
});
