import type { ApiAnswer, ApiApproval } from "@bridle/client";

export type Question = ApiApproval;

/** An answer without the hash of its input. */
export type GivenAnswer = Omit<ApiAnswer, "inputHash">;

export interface QuestionKey {
  readonly key: string;
  readonly label: string;
  readonly answer: GivenAnswer;
  /** Whether the answer is also valid for later calls. Rules that ask every time do not allow this. */
  readonly isRemembered?: boolean;
}

const all: readonly QuestionKey[] = [
  { key: "y", label: "Yes, once", answer: { decision: "allow" } },
  { key: "s", label: "For this session", answer: { decision: "allow", scope: "session" }, isRemembered: true },
  { key: "p", label: "For this project", answer: { decision: "allow", scope: "project" }, isRemembered: true },
  { key: "a", label: "Always", answer: { decision: "allow", scope: "always" }, isRemembered: true },
  { key: "n", label: "No", answer: { decision: "deny" } },
  { key: "x", label: "No, and stop the run", answer: { decision: "deny-and-stop" } },
];

/** Replaces "Yes, once" after the tool has rejected an edited input, because that button would allow the original input. */
const ofOriginal: QuestionKey = { key: "y", label: "Yes, once, without the edit", answer: { decision: "allow" } };

/** Returns the answers to a question, with the same keys as in the terminal. */
export function questionKeys({ everyTime, problem }: Pick<Question, "everyTime" | "problem">): readonly QuestionKey[] {
  const first = problem === null ? all : all.map((each) => (each.key === "y" ? ofOriginal : each));
  return first.filter(({ isRemembered = false }) => !(everyTime && isRemembered));
}

/**
 * How long a new question ignores answers, in milliseconds, because a key press or click right after it appears was meant for something
 * else.
 */
export const guardMs = 500;

/** Parses the input that the user edited, or describes the problem with it. */
export function parseInput(text: string): { readonly input: unknown } | { readonly problem: string } {
  try {
    return { input: JSON.parse(text) };
  } catch (error) {
    return { problem: `This is not valid JSON: ${error instanceof Error ? error.message : "it cannot be read"}.` };
  }
}
