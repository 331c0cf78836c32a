import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { answerRelevancy } from "./answer-relevancy.ts";
import { contextualPrecision } from "./contextual-precision.ts";
import { contextualRecall } from "./contextual-recall.ts";
import { contextualRelevancy } from "./contextual-relevancy.ts";
import { faithfulness } from "./faithfulness.ts";
import { geval } from "./geval.ts";
import type { JudgedMetric } from "./judge.ts";
import { scriptedJudge, verdicts } from "./judges-for-tests.ts";
import { rubric } from "./rubric.ts";

const givenSchema = z.strictObject({
  input: z.string().default(""),
  answer: z.string().default(""),
  ground_truth: z.string().optional(),
  expected_output: z.string().optional(),
  retrieval_context: z.array(z.string()).default([]),
  claims: z.array(z.string()).optional(),
  statements: z.array(z.string()).optional(),
  verdicts: z.array(z.boolean()).default([]),
  criteria: z.string().default(""),
  evaluation_steps: z.array(z.string()).optional(),
  evaluation_params: z.array(z.enum(["input", "actual_output", "expected_output", "retrieval_context"])).optional(),
  strict_mode: z.boolean().optional(),
  levels: z.array(z.strictObject({ score: z.number(), description: z.string() })).default([]),
  judge: z.number().default(0),
});
type Given = z.output<typeof givenSchema>;

const fileSchema = z.strictObject({
  metric: z.string(),
  examples: z.array(
    z.strictObject({ title: z.string(), given: givenSchema, score: z.number(), source: z.string().min(1) }),
  ),
});

interface Play {
  readonly metric: JudgedMetric;
  readonly answers: readonly unknown[];
}

const sure = (holds: readonly boolean[]) => (holds.length === 0 ? [] : [verdicts(holds)]);

const plays: Readonly<Record<string, (given: Given) => Play>> = {
  faithfulness: ({ claims: statements, verdicts: holds }) => ({
    metric: faithfulness(),
    answers: [{ statements }, ...sure(holds)],
  }),
  answer_relevancy: ({ statements, verdicts: holds }) => ({
    metric: answerRelevancy(),
    answers: [{ statements }, ...sure(holds)],
  }),
  contextual_relevancy: ({ verdicts: holds }) => ({ metric: contextualRelevancy(), answers: sure(holds) }),
  contextual_precision: ({ verdicts: holds }) => ({ metric: contextualPrecision(), answers: sure(holds) }),
  contextual_recall: ({ verdicts: holds }) => ({ metric: contextualRecall(), answers: sure(holds) }),
  geval: ({ criteria, evaluation_steps: steps, evaluation_params: params, strict_mode: strict, judge: score }) => ({
    metric: geval({ criteria, ...(steps && { steps }), ...(params && { params }), ...(strict && { strict }) }),
    answers: [...(steps ? [] : [{ steps: ["Read it."] }]), { reason: "It is so.", score }],
  }),
  rubric: ({ levels, judge: level }) => ({ metric: rubric(levels), answers: [{ reason: "It is so.", level }] }),
};

describe.each(Object.entries(plays))("the worked examples of %s", (name, play) => {
  const url = new URL(`../../examples/${name}.json`, import.meta.url);
  const { metric: told, examples } = fileSchema.parse(JSON.parse(readFileSync(url, "utf8")));

  test("are at least twelve, of this metric", () => {
    expect(told).toBe(name);
    expect(examples.length).toBeGreaterThanOrEqual(12);
  });

  test.each(examples)("$title: $score", async ({ given, score }) => {
    const { metric, answers } = play(given);
    const { judge, asked } = scriptedJudge(answers);
    const groundTruth = given.ground_truth ?? given.expected_output;
    const facts = {
      input: given.input,
      answer: given.answer,
      retrievalContext: given.retrieval_context,
      ...(groundTruth !== undefined && { groundTruth }),
    };
    const judged = await metric(facts, judge);
    expect(Math.abs(judged.score - score)).toBeLessThan(1e-6);
    expect(asked).toHaveLength(answers.length);
  });
});
