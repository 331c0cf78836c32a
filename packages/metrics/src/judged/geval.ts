import { z } from "zod";
import { requireAnswer, requireGroundTruth, requireRetrieved } from "./facts.ts";
import type { Judge, JudgedFacts, JudgedMetric } from "./judge.ts";
import { asMaterial, type Exhibit, numbered } from "./material.ts";

/** What a judge by criteria may see. */
export type GevalParam = "input" | "actual_output" | "expected_output" | "retrieval_context";

export interface GevalOptions {
  /** What makes an answer good, in words of the tests' author. */
  readonly criteria: string;
  /** How the judge goes about it. Default: made from the criteria, once for all answers that the metric judges. */
  readonly steps?: readonly string[];
  /** What the judge sees. Default: input and actual output. */
  readonly params?: readonly GevalParam[];
  /** Whether the score is only 0 or 1. Default: false. */
  readonly strict?: boolean;
}

const bestScore = 10;

/**
 * A score by criteria: the judge follows steps of evaluation and gives a whole number from 0 to 10, which is divided by
 * 10. After Liu et al. 2023, "G-Eval: NLG Evaluation using GPT-4 with Better Human Alignment" (arXiv:2303.16634), which
 * weights the scores by the probabilities of their tokens; few hosts tell those, so here the score is the one given.
 */
export function geval({
  criteria,
  steps,
  params = ["input", "actual_output"],
  strict = false,
}: GevalOptions): JudgedMetric {
  const stepsOf = steps === undefined ? onceFor((judge) => makeSteps(judge, criteria, params)) : async () => steps;
  return async (facts, judge) => {
    const exhibits = params.flatMap((param) => exhibitsOf(param, facts));
    const chosen = await stepsOf(judge);
    const { system, text } = asMaterial(exhibits);
    const scale = strict
      ? "Give 1 where the answer meets the criteria entirely, and 0 otherwise."
      : `Give a whole number from 0 (it fails the criteria entirely) to ${bestScore} (it meets them entirely).`;
    const list = chosen.map((step, index) => `${index + 1}. ${step}`).join("\n");
    const prompt = `Score the assistant's answer by these criteria:\n${criteria}\n\nGo about it like this:\n${list}\n\n${scale} Give the reason first.\n\n${text}`;
    const best = strict ? 1 : bestScore;
    const { score, reason } = await judge({ system, prompt, schema: scoreSchema(best) });
    return { score: score / best, reason, evidence: { steps: [...chosen], given: score, of: best } };
  };
}

function exhibitsOf(param: GevalParam, facts: JudgedFacts): readonly Exhibit[] {
  switch (param) {
    case "input":
      return [["input", facts.input]];
    case "actual_output":
      return [["answer", requireAnswer(facts)]];
    case "expected_output":
      return [["expected-answer", requireGroundTruth(facts)]];
    case "retrieval_context":
      return numbered("passage", requireRetrieved(facts));
  }
}

const seen: Readonly<Record<GevalParam, string>> = {
  input: "the input to the assistant",
  actual_output: "the assistant's answer",
  expected_output: "the answer that was expected",
  retrieval_context: "the passages that were retrieved for it",
};

async function makeSteps(judge: Judge, criteria: string, params: readonly GevalParam[]): Promise<readonly string[]> {
  const system = "You plan how the work of an AI assistant is judged, strictly and fairly.";
  const sees = params.map((param) => seen[param]).join(", ");
  const prompt = `List three to five short steps in which a judge scores an answer by these criteria. The judge sees ${sees}, and nothing else.\n\nCriteria:\n${criteria}`;
  const { steps } = await judge({ system, prompt, schema: stepsSchema });
  return steps;
}

const stepsSchema = z.strictObject({
  steps: z
    .array(z.string().refine((text) => text.trim() !== "", "is empty"))
    .refine((steps) => steps.length > 0, "holds no step")
    .describe("What the judge does, one thing after the other."),
});

function scoreSchema(best: number) {
  const isScore = (score: number) => Number.isInteger(score) && score >= 0 && score <= best;
  return z.strictObject({
    reason: z.string().describe("Why, in two sentences at most."),
    score: z
      .number()
      .refine(isScore, `is not a whole number from 0 to ${best}`)
      .describe(`A whole number from 0 to ${best}.`),
  });
}

/**
 * What is made with the first judge and kept for all. Where it fails, whoever waited makes it with a judge of their own:
 * the first may only have been called off.
 */
function onceFor<T>(make: (judge: Judge) => Promise<T>): (judge: Judge) => Promise<T> {
  let making: Promise<T> | undefined;
  return async function get(judge): Promise<T> {
    const others = making;
    if (others !== undefined) return others.catch(() => get(judge));
    const own = make(judge);
    making = own;
    own.catch(() => {
      if (making === own) making = undefined;
    });
    return own;
  };
}
