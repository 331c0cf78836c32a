/** Failures of a trial that are not about metrics or expected calls. Each message contains a reason and a remedy. */
import { counted, type ErrorReport, getErrorMessage, type RunResult } from "@bridle/protocol";
import type { Failure, FailureKind } from "../result/trial-result.ts";
import { errorScope } from "./error-scope.ts";

function failure(kind: FailureKind, message: string, rest: Partial<Failure> = {}): Failure {
  return { kind, message, turn: null, expected: null, received: null, code: null, ...rest };
}

/**
 * Returns the failure of a turn without checks. `idle`: every score passes all metrics. `turn`: a turn without checks in a case with checks
 * in other turns.
 */
export function noChecks(checks: "idle" | "none", turn: number | null = null): Failure {
  const which = turn === null ? "case" : "turn";
  const waive = turn === null ? "" : ", or no_checks: true if it only prepares the others";
  if (checks === "idle") {
    const idle = `The threshold of every metric of the ${which} is 0, which every answer reaches, so nothing was tested.`;
    return failure("no-checks", `${idle} Raise one, or write expected_tools${waive}.`, { turn });
  }
  const message = `The ${which} has neither a metric nor expected_tools, so nothing was tested. Write evaluations for the agent or the ${which}, or expected_tools${waive}.`;
  return failure("no-checks", message, { turn });
}

export function emptyAnswer(turn: number): Failure {
  const message =
    "The agent answered nothing. Read the end of its transcript, and ask for an answer in its instructions.";
  return failure("empty-answer", message, { turn, expected: "an answer", received: "nothing" });
}

export function setupFailed(turn: number, error: unknown): Failure {
  return failure("setup", getErrorMessage(error), { turn });
}

/** Returns the failure of a run that did not end naturally. */
export function runFailure(
  { stopReason, steps, error }: Pick<RunResult, "stopReason" | "steps" | "error">,
  { turn, stepBudget }: { readonly turn: number; readonly stepBudget: number },
): Failure | undefined {
  if (stopReason === "natural") return undefined;
  if (stopReason === "budget") return outOfBudget(steps, stepBudget, turn);
  if (error !== undefined) return errorFailure(error, turn);
  return failure("run", "Another process stopped the run. Run the case again.", { turn });
}

export function errorFailure(error: ErrorReport, turn: number): Failure {
  const { code, message } = error;
  if (errorScope(error) === "host") return failure("backend", message, { turn, code });
  return failure(code === "timeout" ? "timeout" : "run", message, { turn, code });
}

function outOfBudget(steps: number, stepBudget: number, turn: number): Failure {
  if (steps < stepBudget) {
    const message = `The agent used up the budget of its run after ${counted(steps, "step")}. Raise claude.max_budget_usd, or give it less to do.`;
    return failure("out-of-steps", message, { turn, code: "budget_exceeded" });
  }
  const message = `The agent used up its ${counted(stepBudget, "step")} before it finished. Raise execution.max_steps, or give it less to do.`;
  return failure("out-of-steps", message, {
    turn,
    code: "budget_exceeded",
    expected: `an end within ${counted(stepBudget, "step")}`,
  });
}
