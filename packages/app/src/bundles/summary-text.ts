import type { RunEvent } from "@bridle/protocol";
import { promptText } from "../events/prompt-text.ts";
import { collectRunFacts, type RunFacts } from "./run-facts.ts";
import { formatDecisions, formatEnd, formatOffset, formatOutcome, formatRetries, short } from "./run-words.ts";

/** The most runs, calls, retries and notices: the summary fits on a screen. */
const most = { runs: 5, calls: 8, retries: 4, news: 3 };

/** What happened, on a screen of text. If there are many runs, only the newest ones. */
export function formatSummary(events: readonly RunEvent[]): string {
  const runs = collectRunFacts(events);
  const shown = runs.slice(-most.runs);
  const earlier = runs.length > shown.length ? `${runs.length - shown.length} runs before these.\n` : "";
  return earlier + shown.map(runText).join("\n");
}

function runText(facts: RunFacts): string {
  const { runId, started, startedAt, inputs, answeredBy, calls, news, result, unknown } = facts;
  const asked = inputs.flatMap(({ messages }) => messages).filter(({ role }) => role === "user");
  const lines = [
    `Run ${runId}, started at ${new Date(startedAt).toISOString()}`,
    `  prompt: ${asked.map((message) => `"${short(promptText(message))}"`).join(", then ") || "no prompt"}`,
    ...(started ? startLines(started) : []),
    `  answered by: ${answeredBy.join(", ") || "no model"}`,
    ...listed("call", most.calls, calls.map(callText)),
    ...listed("retry", most.retries, formatRetries(facts)),
    ...listed(
      "notice",
      most.news,
      news.map(
        (event) =>
          `${event.type}: ${"message" in event ? short(event.message ?? "") : formatOffset(event.time - startedAt)}`,
      ),
    ),
    ...(result?.text ? [`  last text: "${short(result.text)}"`] : []),
    `  ended: ${formatEnd(facts)}`,
    ...unknown.map((sentence) => `  not known: ${sentence}`),
  ];
  return `${lines.join("\n")}\n`;
}

function startLines(started: StartedEvent): string[] {
  const { backend, rehearsed = false, model, role, tools, builtins, stepBudget, policy, labels } = started;
  return [
    `  model: ${model} on ${backend}${rehearsed ? " (rehearsed: a script answered)" : ""}${role === undefined ? "" : `, role ${role}`}, ${stepBudget} steps at most`,
    `  tools: ${short([...tools, ...builtins].join(", ")) || "none"}; rules: ${policy.slice(0, 12)}`,
    ...(labels ? [`  labels: ${short(JSON.stringify(labels))}`] : []),
  ];
}

type StartedEvent = NonNullable<RunFacts["started"]>;

function callText(call: RunFacts["calls"][number]): string {
  const input = short(JSON.stringify(call.input) ?? "", 60);
  return `${formatOffset(call.atMs)} ${call.tool} ${input}: ${short(`${formatDecisions(call)}; ${formatOutcome(call)}`, 240)}`;
}

function listed(what: string, longest: number, lines: readonly string[]): string[] {
  const rest = lines.length > longest ? [`  ${what}: ${lines.length - longest} more`] : [];
  return [...lines.slice(0, longest).map((line) => `  ${what}: ${line}`), ...rest];
}
