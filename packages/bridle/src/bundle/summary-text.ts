import type { RunEvent } from "@bridle/protocol";
import { promptText } from "../record/prompt-text.ts";
import { factsOfRuns, type RunFacts } from "./run-facts.ts";
import { decisionsOf, endOf, fateOf, retryLines, seconds, short } from "./story-words.ts";

/** So many runs, calls, retries and news are told; a screen has room for no more. */
const most = { runs: 5, calls: 8, retries: 4, news: 3 };

/** What happened, in a screen of text: of the newest runs, where there are many. */
export function summaryText(events: readonly RunEvent[]): string {
  const runs = factsOfRuns(events);
  const shown = runs.slice(-most.runs);
  const earlier = runs.length > shown.length ? `${runs.length - shown.length} runs before these.\n` : "";
  return earlier + shown.map(runText).join("\n");
}

function runText(facts: RunFacts): string {
  const { runId, started, startedAt, inputs, answeredBy, calls, news, result, unknown } = facts;
  const asked = inputs.flatMap(({ messages }) => messages).filter(({ role }) => role === "user");
  const lines = [
    `Run ${runId}, begun at ${new Date(startedAt).toISOString()}`,
    `  asked: ${asked.map((message) => `"${short(promptText(message))}"`).join(", then ") || "nothing was sent"}`,
    ...(started ? startLines(started) : []),
    `  answered by: ${answeredBy.join(", ") || "nobody"}`,
    ...listed("call", most.calls, calls.map(callText)),
    ...listed("asked the host again", most.retries, retryLines(facts)),
    ...listed(
      "told",
      most.news,
      news.map(
        (event) =>
          `${event.type}: ${"message" in event ? short(event.message ?? "") : seconds(event.time - startedAt)}`,
      ),
    ),
    ...(result?.text ? [`  last text: "${short(result.text)}"`] : []),
    `  ended: ${endOf(facts)}`,
    ...unknown.map((sentence) => `  not known: ${sentence}`),
  ];
  return `${lines.join("\n")}\n`;
}

function startLines(started: StartedEvent): string[] {
  const { backend, rehearsed = false, model, role, tools, builtins, stepBudget, policy, labels } = started;
  return [
    `  of: ${model} on ${backend}${rehearsed ? " (rehearsed: a script answered)" : ""}${role === undefined ? "" : `, role ${role}`}, ${stepBudget} steps at most`,
    `  tools: ${short([...tools, ...builtins].join(", ")) || "none"}; rules: ${policy.slice(0, 12)}`,
    ...(labels ? [`  labels: ${short(JSON.stringify(labels))}`] : []),
  ];
}

type StartedEvent = NonNullable<RunFacts["started"]>;

function callText(call: RunFacts["calls"][number]): string {
  const input = short(JSON.stringify(call.input) ?? "", 60);
  return `${seconds(call.atMs)} ${call.tool} ${input}: ${short(`${decisionsOf(call)}; ${fateOf(call)}`, 240)}`;
}

function listed(what: string, longest: number, lines: readonly string[]): string[] {
  const rest = lines.length > longest ? [`  ${what}: ${lines.length - longest} more`] : [];
  return [...lines.slice(0, longest).map((line) => `  ${what}: ${line}`), ...rest];
}
