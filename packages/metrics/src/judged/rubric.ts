import { z } from "zod";
import { requireAnswer } from "./facts.ts";
import type { JudgedMetric } from "./judge.ts";
import { asMaterial, type Exhibit } from "./material.ts";

export interface RubricLevel {
  /** From 0 to 1. */
  readonly score: number;
  /** What an answer of this level is like. */
  readonly description: string;
}

/**
 * The score of the level that the judge chooses. It sees the levels' descriptions and not what they count, the input,
 * the answer, and the ground truth where there is one.
 */
export function rubric(levels: readonly RubricLevel[]): JudgedMetric {
  const list = levels.map(({ description }, index) => `${index + 1}. ${description}`).join("\n");
  const schema = z.strictObject({
    reason: z.string().describe("Why this level fits best, in two sentences at most."),
    level: z
      .number()
      .refine((level) => levels[level - 1] !== undefined, `is none of the levels from 1 to ${levels.length}`)
      .describe(`The number of the level, from 1 to ${levels.length}.`),
  });
  return async (facts, judge) => {
    const exhibits: Exhibit[] = [
      ["input", facts.input],
      ["answer", requireAnswer(facts)],
    ];
    if (facts.groundTruth !== undefined) exhibits.push(["expected-answer", facts.groundTruth]);
    const { system, text } = asMaterial(exhibits);
    const prompt = `Choose the level that fits the assistant's answer best. Give the reason first.\n\nLevels:\n${list}\n\n${text}`;
    const { level, reason } = await judge({ system, prompt, schema });
    const chosen = levels[level - 1];
    if (chosen === undefined) throw new RangeError(`The judge chose the level ${level}, which is none.`);
    return { score: chosen.score, reason, evidence: { level, description: chosen.description } };
  };
}
