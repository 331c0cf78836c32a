/** Wordings that the texts of a bundle share. */
import { counted, type EventOf, type RunResult } from "@bridle/protocol";
import type { CallFacts } from "./call-facts.ts";
import { inline } from "./code-fence.ts";

export function formatOffset(ms: number): string {
  return `+${(ms / 1000).toFixed(3)} s`;
}

/** Shortens a string to one line with at most this many characters. */
export function short(text: string, longest = 160): string {
  const line = inline(text);
  return line.length > longest ? `${[...line].slice(0, longest).join("")}…` : line;
}

/** Formats the outcome of a call with its reason. */
export function formatOutcome({ outcome, finished, denied }: CallFacts): string {
  if (outcome === "unknown") return "started; whether it had its effect is not known";
  if (outcome === "not executed") return "was not executed";
  if (outcome === "denied") return `denied: ${denied}`;
  const took = `${outcome} after ${finished?.durationMs ?? 0} ms`;
  return outcome === "failed" ? `${took}: ${finished?.output}` : took;
}

/** Formats the rules that decided, in order, and the answers of users. */
export function formatDecisions({ decisions, approvals }: CallFacts): string {
  const rules = decisions.map(({ decision, rule }) => `${decision} by ${rule}`);
  const answers = approvals.map(({ decision, source, scope, by, message }) =>
    [`${decision} (${source}, ${scope})`, by && `by ${by}`, message && `"${short(message)}"`].filter(Boolean).join(" "),
  );
  return [...rules, ...answers].join(", then ") || "not decided";
}

/** How a run ended, and the times of its first and last events. */
interface RunEnd {
  readonly result: RunResult | undefined;
  readonly startedAt: number;
  readonly lastAt: number;
  readonly lastSignAt: number;
}

/** Formats how and why a run ended. */
export function formatEnd({ result, startedAt, lastSignAt, lastAt }: RunEnd): string {
  if (result === undefined) return "not yet";
  const { stopReason, error, steps, toolCalls, toolFailures } = result;
  const why = error ? `: ${error.name} (${error.code}): ${inline(error.message)}` : explainBudget(stopReason);
  const counts = `${counted(steps, "step")}, ${counted(toolCalls, "call")}, ${toolFailures} of them failed or denied`;
  const isFoundDead = error?.code === "process_died";
  const time = isFoundDead
    ? `last event at ${formatOffset(lastSignAt - startedAt)}`
    : `at ${formatOffset(lastAt - startedAt)}`;
  return `${stopReason}${why}\n  ${time}, ${counts}`;
}

function explainBudget(stopReason: string): string {
  return stopReason === "budget" ? ": the budget of steps or money is used up" : "";
}

/** Formats a retry with its time, reason and delay. */
export function formatRetry(retry: EventOf<"retry.scheduled">, startedAt: number): string {
  const { time, attempt, maxAttempts, delayMs, reason, status } = retry;
  const why = `${short(reason)}${status === undefined ? "" : ` (${status})`}`;
  return `${formatOffset(time - startedAt)}: ${why}; attempt ${attempt} of ${maxAttempts} in ${delayMs} ms`;
}
