/** Metrics of tests: what an answer is judged by. */
import { z } from "zod";
import { commonFields } from "./common-metric-fields.ts";
import { file, flag, refused, share, text } from "./fields.ts";
import { modelSchema } from "./model.ts";
import { standardMetric } from "./standard-metric.ts";

const judge = modelSchema
  .exactOptional()
  .describe("The model that judges. Default: that of evaluations, else the role judge.");

const ofCase = ["input", "actual_output", "expected_output", "retrieval_context"] as const;

const geval = z.strictObject({
  type: z.literal("geval").describe("A model judges by criteria in your words."),
  name: text("The name of the metric."),
  criteria: text("What makes an answer good."),
  ...commonFields,
  threshold: share("The least score that passes. Default: 0.5.").exactOptional(),
  evaluation_steps: z
    .array(text("A step."))
    .min(1)
    .exactOptional()
    .describe("How the judge goes about it. Default: made from the criteria."),
  evaluation_params: z
    .array(
      z.enum(ofCase, {
        error: ({ input }) =>
          input === "context" ? "is context, which a case does not have. Write retrieval_context" : undefined,
      }),
    )
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
  ...commonFields,
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
  ...commonFields,
  threshold: share("The least score that passes. Default: 0.5.").exactOptional(),
  model: judge,
});

const code = z.strictObject({
  type: z.literal("code").describe("A function of yours judges."),
  name: text("The name of the metric."),
  file: file("A TypeScript or JavaScript module."),
  function: text("The name of its export."),
  grader: refused("graders are functions of TypeScript or JavaScript. Name one with file and function."),
  ...commonFields,
  threshold: share("The least score that passes. Default: 0.5.").exactOptional(),
});

const metricSchema = z.discriminatedUnion("type", [standardMetric, geval, rag, rubric, code]);

export const metricsSchema = z.array(metricSchema).min(1);

export const evaluationsSchema = z
  .strictObject({
    model: judge,
    metrics: metricsSchema.describe("Metrics of every case that has none of its own."),
  })
  .describe("What the answers of tests are judged by.");
