/** Judges with scripted answers. */
import type { Judge, JudgeQuestion } from "@bridle/protocol";
import type { JudgedFacts } from "./judge.ts";

export interface ScriptedJudge {
  readonly judge: Judge;
  readonly asked: JudgeQuestion<unknown>[];
}

/** Returns the answers one after the other. Each must match its schema, as with a real judge. */
export function scriptedJudge(answers: readonly unknown[]): ScriptedJudge {
  const asked: JudgeQuestion<unknown>[] = [];
  const judge: Judge = async (question) => {
    asked.push(question);
    if (asked.length > answers.length) throw new Error("The judge was asked more often than it has answers.");
    return question.schema.parse(answers[asked.length - 1]);
  };
  return { judge, asked };
}

/** Verdicts as a judge returns them, with numbers from `from`. */
export function verdicts(holds: readonly boolean[], from = 1) {
  return { verdicts: holds.map((each, index) => ({ number: from + index, reason: "It says so.", holds: each })) };
}

export const facts: JudgedFacts = {
  input: "How long do I have to return something?",
  answer: "You have 30 days.",
  groundTruth: "Within 30 days. The customer pays.",
  retrievalContext: ["Returns are accepted within 30 days.", "We sell hats."],
};
