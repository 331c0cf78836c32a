import type { RunEvent } from "@bridle/protocol";
import type { CallFacts } from "./call-facts.ts";
import { inline } from "./code-fence.ts";
import type { Beginning, NewestRuns, RunFacts } from "./run-facts.ts";
import { formatDecisions, formatEnd, formatOffset, formatOutcome, formatRetry, short } from "./run-words.ts";

/** Summarizes the newest runs on one screen of text. */
export function formatSummary({ runs, earlier }: NewestRuns): string {
  return (earlier > 0 ? `${earlier} runs before these.\n` : "") + runs.map(runText).join("\n");
}

function runText(facts: RunFacts): string {
  const { runId, started, startedAt, answeredBy, calls, retries, news, result, unknown } = facts;
  const lines = [
    `Run ${runId}, started at ${new Date(startedAt).toISOString()}`,
    `  prompt: ${formatPrompts(facts.prompts)}`,
    ...(started ? startLines(started) : []),
    `  answered by: ${inline(answeredBy.join(", ")) || "no model"}`,
    ...listLines("call", calls, callText),
    ...listLines("retry", retries, (retry) => formatRetry(retry, startedAt)),
    ...listLines("notice", news, (event) => newsText(event, startedAt)),
    ...(result?.text ? [`  last text: "${short(result.text)}"`] : []),
    `  ended: ${formatEnd(facts)}`,
    ...unknown.map((sentence) => `  not known: ${inline(sentence)}`),
  ];
  return `${lines.join("\n")}\n`;
}

function formatPrompts({ first, total }: Beginning<string>): string {
  const more = total > first.length ? [`${total - first.length} more`] : [];
  return [...first.map((text) => `"${text}"`), ...more].join(", then ") || "no prompt";
}

function newsText(event: RunEvent, startedAt: number): string {
  const { type, time } = event;
  return `${type}: ${"message" in event ? short(event.message ?? "") : formatOffset(time - startedAt)}`;
}

function startLines(started: StartedEvent): string[] {
  const { backend, rehearsed = false, model, role, tools, builtins, stepBudget, policy, labels } = started;
  return [
    `  model: ${inline(model)} on ${backend}${rehearsed ? " (rehearsed: a script answered)" : ""}${role === undefined ? "" : `, role ${role}`}, ${stepBudget} steps at most`,
    `  tools: ${short([...tools, ...builtins].join(", ")) || "none"}; rules: ${policy.slice(0, 12)}`,
    ...(labels ? [`  labels: ${short(JSON.stringify(labels))}`] : []),
  ];
}

type StartedEvent = NonNullable<RunFacts["started"]>;

function callText(call: CallFacts): string {
  const input = short(JSON.stringify(call.input) ?? "", 60);
  return `${formatOffset(call.atMs)} ${inline(call.tool)} ${input}: ${short(`${formatDecisions(call)}; ${formatOutcome(call)}`, 240)}`;
}

function listLines<T>(what: string, { first, total }: Beginning<T>, format: (item: T) => string): string[] {
  const more = total > first.length ? [`  ${what}: ${total - first.length} more`] : [];
  return [...first.map((item) => `  ${what}: ${format(item)}`), ...more];
}
