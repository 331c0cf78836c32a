import type { RunResult } from "@bridle/protocol";

/** Explains why a run ended, in a sentence with the remedy; `undefined` if the run ended naturally. */
export function endReason({ stopReason, error, steps }: RunResult): string | undefined {
  if (stopReason === "natural") return undefined;
  if (error) return error.message;
  return `The run used up its budget (${steps} ${steps === 1 ? "step" : "steps"}). Allow more with --steps.`;
}
