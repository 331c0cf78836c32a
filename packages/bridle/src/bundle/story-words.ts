/** Words that the texts of a bundle share. */
import { counted } from "@bridle/protocol";
import type { CallFacts, RunFacts } from "./run-facts.ts";

export function seconds(ms: number): string {
  return `+${(ms / 1000).toFixed(3)} s`;
}

/** On one line, and no longer than that many characters. */
export function short(text: string, longest = 160): string {
  const line = text.replaceAll(/\s+/g, " ").trim();
  return line.length > longest ? `${[...line].slice(0, longest).join("")}…` : line;
}

/** What became of a call, and why. */
export function fateOf({ outcome, finished, denied }: CallFacts): string {
  if (outcome === "unknown") return "had started; whether it had its effect is not known";
  if (outcome === "not made") return "was not made";
  if (outcome === "denied") return `denied: ${denied}`;
  const took = `${outcome} after ${finished?.durationMs ?? 0} ms`;
  return outcome === "failed" ? `${took}: ${finished?.output}` : took;
}

/** The rules that decided, in order, and the answers of people. */
export function decisionsOf({ decisions, approvals }: CallFacts): string {
  const rules = decisions.map(({ decision, rule }) => `${decision} by ${rule}`);
  const answers = approvals.map(({ decision, source, scope, by, message }) =>
    [`${decision} (${source}, ${scope})`, by && `by ${by}`, message && `"${short(message)}"`].filter(Boolean).join(" "),
  );
  return [...rules, ...answers].join(", then ") || "not decided";
}

/** How a run ended, and why. */
export function endOf({ result, startedAt, heardAt, lastAt }: RunFacts): string {
  if (result === undefined) return "not yet";
  const { stopReason, error, steps, toolCalls, toolFailures } = result;
  const why = error ? `: ${error.name} (${error.code}): ${error.message}` : budgetOf(stopReason);
  const counts = `${counted(steps, "step")}, ${counted(toolCalls, "call")}, ${toolFailures} of them failed or denied`;
  const isFound = error?.code === "process_died";
  const time = isFound ? `last heard of at ${seconds(heardAt - startedAt)}` : `at ${seconds(lastAt - startedAt)}`;
  return `${stopReason}${why}\n  ${time}, ${counts}`;
}

function budgetOf(stopReason: string): string {
  return stopReason === "budget" ? ": the steps or the money that it was given were used up" : "";
}

/** Each time the host was asked again: when, why, and how long it was waited. */
export function retryLines({ retries, startedAt }: RunFacts): string[] {
  return retries.map(({ time, attempt, maxAttempts, delayMs, reason, status }) => {
    const why = `${short(reason)}${status === undefined ? "" : ` (${status})`}`;
    return `${seconds(time - startedAt)}: ${why}; attempt ${attempt} of ${maxAttempts} in ${delayMs} ms`;
  });
}
