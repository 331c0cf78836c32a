/** Facts that a metric cannot do without. Each throws a NotJudgedError that says what to do. */
import { type JudgedFacts, NotJudgedError } from "./judge.ts";

export function requireAnswer({ answer }: JudgedFacts): string {
  if (answer.trim() !== "") return answer;
  throw new NotJudgedError("has nothing to judge: the answer is empty.");
}

export function requireGroundTruth({ groundTruth = "" }: JudgedFacts): string {
  if (groundTruth.trim() !== "") return groundTruth;
  throw new NotJudgedError("needs a ground truth, and the case has none. Write ground_truth, or remove the metric.");
}

/** The passages that hold text. */
export function requireRetrieved({ retrievalContext }: JudgedFacts): readonly string[] {
  const passages = retrievalContext.filter((passage) => passage.trim() !== "");
  if (passages.length > 0) return passages;
  throw new NotJudgedError(
    "needs retrieved text, and there is none. Write retrieval_context in the case, or give the agent a tool that retrieves.",
  );
}
