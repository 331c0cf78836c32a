/** Functions that return the facts that a metric requires. Each throws NoScoreError with a remedy if its fact is missing. */
import { NoScoreError } from "../scoring/no-score-error.ts";
import { groundTruthsOf } from "../scoring/score-answer.ts";
import type { JudgedFacts } from "./judge.ts";
import { type Exhibit, numbered } from "./material.ts";

export function requireAnswer({ answer }: JudgedFacts): string {
  if (answer.trim() !== "") return answer;
  throw new NoScoreError("there is nothing to judge: the answer is empty.");
}

export function requireGroundTruth({ groundTruth = "" }: JudgedFacts): string {
  if (groundTruth.trim() !== "") return groundTruth;
  throw new NoScoreError("the case has no ground_truth. Write one, or remove the metric.");
}

/** Lists the ground truth under a name, or several ground truths as alternatives. Empty if the case has none. */
export function groundTruthExhibits(name: string, facts: JudgedFacts): readonly Exhibit[] {
  const texts = groundTruthsOf(facts);
  return texts.length > 1 ? numbered(`alternative-${name}`, texts) : texts.map((text) => [name, text]);
}

/** Returns the retrieved passages that contain text. */
export function requireRetrieved({ retrievalContext }: JudgedFacts): readonly string[] {
  const passages = retrievalContext.filter((passage) => passage.trim() !== "");
  if (passages.length > 0) return passages;
  throw new NoScoreError(
    "there is no retrieved text. Write retrieval_context in the case, or give the agent a tool that retrieves.",
  );
}
