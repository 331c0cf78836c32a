import { z } from "zod";
import { defineMetric } from "../scoring/define-metric.ts";
import { groundTruthExhibits, requireAnswer } from "./facts.ts";
import { type JudgedMetric, withJudge } from "./judge.ts";
import { asMaterial, type Exhibit } from "./material.ts";

export interface RubricLevel {
  /** The score of an answer at this level, from 0 to 1. */
  readonly score: number;
  /** The description of an answer at this level. */
  readonly description: string;
}

/**
 * Creates a metric whose score is that of the level that the judge chooses. The judge sees the descriptions of the levels without their
 * scores, the input, the answer and the ground truth, if the case has one.
 */
export function rubric(levels: readonly RubricLevel[]): JudgedMetric {
  const list = levels.map(({ description }, index) => `${index + 1}. ${description}`).join("\n");
  const schema = choiceSchema(levels);
  return async (facts, judge) => {
    const exhibits: Exhibit[] = [
      ["input", facts.input],
      ["answer", requireAnswer(facts)],
      ...groundTruthExhibits("expected-answer", facts),
    ];
    const { system, text } = asMaterial(exhibits);
    const prompt = `Choose the level that fits the assistant's answer best. Give the reason first.\n\nLevels:\n${list}\n\n${text}`;
    const { level, reason } = await judge({ system, prompt, schema });
    const chosen = levels[level - 1];
    if (chosen === undefined) throw new RangeError(`The judge chose the level ${level}, which does not exist.`);
    return { score: chosen.score, reason, evidence: { level, description: chosen.description } };
  };
}

function choiceSchema(levels: readonly RubricLevel[]) {
  return z.strictObject({
    reason: z.string().describe("Why this level fits best, in two sentences at most."),
    level: z
      .number()
      .refine((level) => levels[level - 1] !== undefined, `is not a level from 1 to ${levels.length}`)
      .describe(`The number of the level, from 1 to ${levels.length}.`),
  });
}

export const rubricMetric = defineMetric({
  name: "rubric",
  type: "rubric",
  kind: "judged",
  description: "A model chooses the level that fits best.",
  settings: {
    name: z.string().trim().min(1).describe("The name of the metric."),
    levels: z
      .array(
        z.strictObject({
          score: z.number().min(0).max(1).describe("The score of the level."),
          description: z.string().trim().min(1).describe("A description of an answer of this level."),
        }),
      )
      .min(2)
      .describe("The levels, at least two."),
  },
  unit: null,
  passes: "at-least",
  defaultThreshold: 0.5,
  documentation: {
    summary: "which of your levels matches the answer best",
    range: "0 to 1",
    needs: "`levels`",
    cost: "1",
  },
  label: ({ name }) => name,
  open: ({ levels }) => withJudge(rubric(levels)),
});
