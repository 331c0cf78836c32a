/** Metrics of tests: what an answer is judged by. */
import { z } from "zod";
import { file, flag, refused, share, text } from "./fields.ts";
import { modelSchema } from "./model.ts";

const judge = modelSchema
  .exactOptional()
  .describe("The model that judges. Default: that of evaluations, else the role judge.");

/** Of every metric. */
const common = {
  enabled: flag("false leaves the metric out. Default: true.").exactOptional(),
  threshold: z.number().exactOptional().describe("The least score that passes. Default: the metric's own."),
  fail_on_error: z
    .literal(true, { error: "cannot be false: a metric that cannot run fails its test. Remove the line" })
    .exactOptional()
    .describe("A metric that cannot run always fails its test; it may be said."),
};

/** Names of metrics that are computed, without a model. */
const computed = [
  ...["bleu", "rouge", "rouge1", "rouge2", "rougeL", "meteor", "f1", "f1_score", "exact_match", "contains", "regex"],
  ...["equality", "numeric", "json_schema", "response_path", "latency", "cost", "steps"],
] as const;

/** What some of them cannot do without. */
const needs: Readonly<Record<string, "value" | "path" | "schema">> = {
  ...{ contains: "value", regex: "value", response_path: "path", json_schema: "schema" },
};

const standard = z
  .strictObject({
    type: z.literal("standard").describe("A metric that is computed."),
    metric: z.enum(computed).describe("Its name. rouge is rougeL, and f1_score is f1."),
    ...common,
    value: z
      .json()
      .exactOptional()
      .describe("What contains, regex, equality, numeric and response_path look for. Default: ground_truth."),
    path: text("response_path: the path in the answer's object, such as order.id.").exactOptional(),
    schema: z
      .union([z.string().min(1), z.record(z.string(), z.unknown())])
      .exactOptional()
      .describe("json_schema: the JSON Schema, or a file with it."),
    tolerance: z.number().min(0).exactOptional().describe("numeric: how far off a number may be. Default: 0."),
    stemming: flag("rouge: whether words count by their stems. Default: false.").exactOptional(),
    model: refused("a computed metric asks no model. Remove it, or use the type geval or rag."),
    scale: refused("scores are from 0 to 1. Remove it, and set threshold."),
    retry_on_failure: refused(
      "a computed metric gives the same each time. Remove it; --trials runs cases several times.",
    ),
    timeout_ms: refused("a computed metric takes no time to speak of. Remove it."),
    custom_prompt: refused("write what is judged as criteria of a metric of the type geval."),
  })
  .check(({ value, issues }) => {
    const needed = needs[value.metric];
    if (needed === undefined || value[needed] !== undefined) return;
    issues.push({
      code: "custom",
      input: value,
      path: [needed],
      message: `is missing, which the metric ${value.metric} needs.`,
    });
  });

const ofCase = ["input", "actual_output", "expected_output", "context", "retrieval_context"] as const;

const geval = z.strictObject({
  type: z.literal("geval").describe("A model judges by criteria in your words."),
  name: text("The name of the metric."),
  criteria: text("What makes an answer good."),
  ...common,
  threshold: share("The least score that passes. Default: 0.5.").exactOptional(),
  evaluation_steps: z
    .array(text("A step."))
    .min(1)
    .exactOptional()
    .describe("How the judge goes about it. Default: made from the criteria."),
  evaluation_params: z
    .array(z.enum(ofCase))
    .min(1)
    .exactOptional()
    .describe("What of the case the judge sees. Default: input and actual_output."),
  strict_mode: flag("Only 0 and 1 are given. Default: false.").exactOptional(),
  model: judge,
});

const rag = z.strictObject({
  type: z.literal("rag").describe("A model judges an answer that is made from retrieved text."),
  metric_type: z
    .enum(["faithfulness", "answer_relevancy", "contextual_relevancy", "contextual_precision", "contextual_recall"])
    .describe("Which."),
  ...common,
  threshold: share("The least score that passes. Default: 0.5.").exactOptional(),
  include_reason: flag("Whether the judge says why. Default: true.").exactOptional(),
  model: judge,
});

const rubric = z.strictObject({
  type: z.literal("rubric").describe("A model chooses the level that fits best."),
  name: text("The name of the metric."),
  levels: z
    .array(
      z.strictObject({
        score: share("What the level counts."),
        description: text("What an answer of this level is like."),
      }),
    )
    .min(2)
    .describe("At least two."),
  ...common,
  threshold: share("The least score that passes. Default: 0.5.").exactOptional(),
  model: judge,
});

const code = z.strictObject({
  type: z.literal("code").describe("A function of yours judges."),
  name: text("The name of the metric."),
  file: file("A TypeScript or JavaScript module."),
  function: text("The name of its export."),
  ...common,
});

const metricSchema = z.discriminatedUnion("type", [standard, geval, rag, rubric, code]);

export const metricsSchema = z.array(metricSchema).min(1);

export const evaluationsSchema = z
  .strictObject({
    model: judge,
    metrics: metricsSchema.describe("Metrics of every case that has none of its own."),
  })
  .describe("What the answers of tests are judged by. Read by the tests of an agent, and checked here.");
