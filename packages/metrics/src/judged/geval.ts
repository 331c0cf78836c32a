import { canonicalJson, type Judge } from "@bridle/protocol";
import { z } from "zod";
import { defineMetric } from "../scoring/define-metric.ts";
import { groundTruthExhibits, requireAnswer, requireGroundTruth, requireRetrieved } from "./facts.ts";
import { type JudgedFacts, type JudgedMetric, withJudge } from "./judge.ts";
import { asMaterial, type Exhibit, numbered } from "./material.ts";

const paramNames = ["input", "actual_output", "expected_output", "retrieval_context"] as const;

/** A part of the case that the judge may see. */
type GevalParam = (typeof paramNames)[number];

export interface GevalOptions {
  /** The criteria for a good answer, in the words of the test's author. */
  readonly criteria: string;
  /** The steps that the judge follows. Default: derived from the criteria, once for all answers that the metric judges. */
  readonly steps?: readonly string[] | undefined;
  /** The parts of the case that the judge sees. Default: input and actual output. */
  readonly params?: readonly GevalParam[] | undefined;
  /** Whether the score is only 0 or 1. Default: false. */
  readonly strict?: boolean | undefined;
}

const maxScore = 10;

/**
 * Creates a metric that scores by criteria: the judge follows evaluation steps and gives a whole number from 0 to 10, which is divided by
 * 10. After Liu et al. 2023, "G-Eval: NLG Evaluation using GPT-4 with Better Human Alignment" (arXiv:2303.16634). The paper weights the
 * scores by the probabilities of their tokens; few hosts return those, so the score here is the judge's number / 10.
 */
export function geval(options: GevalOptions): JudgedMetric {
  const { criteria, steps, params = ["input", "actual_output"], strict = false } = options;
  const getSteps = steps === undefined ? onceFor((judge) => makeSteps(judge, criteria, params)) : async () => steps;
  return async (facts, judge) => {
    const exhibits = params.flatMap((param) => exhibitsOf[param](facts));
    const chosen = await getSteps(judge);
    const best = strict ? 1 : maxScore;
    const { system, text } = asMaterial(exhibits);
    const prompt = `${instructions(criteria, chosen, strict)}\n\n${text}`;
    const { score, reason } = await judge({ system, prompt, schema: scoreSchema(best) });
    return { score: score / best, reason, evidence: { steps: [...chosen], given: score, of: best } };
  };
}

function instructions(criteria: string, steps: readonly string[], strict: boolean): string {
  const list = steps.map((step, index) => `${index + 1}. ${step}`).join("\n");
  const scale = strict
    ? "Give 1 if the answer meets the criteria entirely, and 0 otherwise."
    : `Give a whole number from 0 (it fails the criteria entirely) to ${maxScore} (it meets them entirely).`;
  return `Score the assistant's answer by these criteria:\n${criteria}\n\nFollow these steps:\n${list}\n\n${scale} Give the reason first.`;
}

const exhibitsOf: Readonly<Record<GevalParam, (facts: JudgedFacts) => readonly Exhibit[]>> = {
  input: ({ input }) => [["input", input]],
  actual_output: (facts) => [["answer", requireAnswer(facts)]],
  expected_output(facts) {
    requireGroundTruth(facts);
    return groundTruthExhibits("expected-answer", facts);
  },
  retrieval_context: (facts) => numbered("passage", requireRetrieved(facts)),
};

const descriptions: Readonly<Record<GevalParam, string>> = {
  input: "the input to the assistant",
  actual_output: "the assistant's answer",
  expected_output: "the expected answer",
  retrieval_context: "the retrieved passages",
};

async function makeSteps(judge: Judge, criteria: string, params: readonly GevalParam[]): Promise<readonly string[]> {
  const system = "You plan how the work of an AI assistant is judged, strictly and fairly.";
  const sees = params.map((param) => descriptions[param]).join(", ");
  const prompt = `List three to five short steps in which a judge scores an answer by these criteria. The judge sees ${sees}, and nothing else.\n\nCriteria:\n${criteria}`;
  const { steps } = await judge({ system, prompt, schema: stepsSchema });
  return steps;
}

const stepsSchema = z.strictObject({
  steps: z
    .array(z.string().refine((text) => text.trim() !== "", "is empty"))
    .refine((steps) => steps.length > 0, "contains no step")
    .describe("The actions of the judge, in order."),
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
 * Makes a value with the judge of the first caller, and returns it to all callers. If that fails, every waiting caller makes the value with
 * its own judge, because the only failure may be that the first call was aborted.
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

export const gevalMetric = defineMetric({
  name: "geval",
  type: "geval",
  kind: "judged",
  description: "A model judges by criteria in your words.",
  settings: {
    name: z.string().trim().min(1).describe("The name of the metric."),
    criteria: z.string().trim().min(1).describe("The criteria for a good answer."),
    evaluation_steps: z
      .array(z.string().trim().min(1).describe("A step."))
      .min(1)
      .exactOptional()
      .describe("The steps of the judge. Default: made from the criteria."),
    evaluation_params: z
      .array(
        z.enum(paramNames, {
          error: ({ input }) =>
            input === "context" ? "is context, which a case does not have. Write retrieval_context" : undefined,
        }),
      )
      .min(1)
      .exactOptional()
      .describe("The parts of the case that the judge sees. Default: input and actual_output."),
    strict_mode: z.boolean().exactOptional().describe("Whether the score is only 0 or 1. Default: false."),
  },
  unit: null,
  passes: "at-least",
  defaultThreshold: 0.5,
  documentation: {
    summary: "how well the answer meets criteria that you describe",
    range: "0 to 1",
    needs: "`criteria`",
    cost: "1, and 1 in total if the judge derives the steps",
  },
  label: ({ name }) => name,
  open({ criteria, evaluation_steps: steps, evaluation_params: params, strict_mode: strict }, { share }) {
    const options = { criteria, steps, params, strict };
    return withJudge(share(canonicalJson(options), () => geval(options))); // all cases are judged by the same steps
  },
});
