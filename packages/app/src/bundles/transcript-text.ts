import { buildTranscript, type RunEvent, type TranscriptEntry } from "@bridle/protocol";
import { promptText } from "../events/prompt-text.ts";
import { codeBlock } from "./code-fence.ts";
import { type CallFacts, collectRunFacts, type RunFacts } from "./run-facts.ts";
import { formatDecisions, formatEnd, formatOffset, formatOutcome, formatRetries } from "./run-words.ts";

/** The conversation and the calls, run by run, as Markdown for people. */
export function formatTranscript(events: readonly RunEvent[]): string {
  const byRun = Map.groupBy(events, ({ runId }) => runId);
  return collectRunFacts(events)
    .map((facts) => runText(facts, byRun.get(facts.runId) ?? []))
    .join("\n");
}

function runText(facts: RunFacts, events: readonly RunEvent[]): string {
  const { runId, startedAt, started, answeredBy, unknown, news } = facts;
  const { entries } = buildTranscript(events);
  const calls = new Map(facts.calls.map((call) => [call.callId, call]));
  const parts = [
    `# ${runId}`,
    `Started: ${new Date(startedAt).toISOString()}`,
    ...(started
      ? [
          `Model: ${started.model} on ${started.backend}${started.rehearsed ? " (rehearsed)" : ""}; answered: ${answeredBy.join(", ") || "no model"}`,
        ]
      : []),
    ...entries.map((entry) => entryText(entry, calls)),
    ...section("Retries", formatRetries(facts)),
    ...section(
      "Limits and notices",
      news.map((event) => newsText(event, startedAt)),
    ),
    `Ended: ${facts.result ? formatEnd(facts) : "not in the event log"}`,
    ...section("Not known", unknown),
  ];
  return `${parts.join("\n\n")}\n`;
}

function newsText(event: RunEvent, startedAt: number): string {
  const { type, seq: _seq, time, runId: _runId, sessionId: _sessionId, ...fields } = event;
  return `${formatOffset(time - startedAt)}: ${type} ${JSON.stringify(fields)}`;
}

function section(title: string, lines: readonly string[]): string[] {
  return lines.length === 0 ? [] : [`## ${title}\n\n${lines.map((line) => `- ${line}`).join("\n")}`];
}

function entryText(entry: TranscriptEntry, calls: ReadonlyMap<string, CallFacts>): string {
  if (entry.kind === "tool") return toolText(calls.get(entry.callId));
  if (entry.kind === "history") return `## History ${entry.reason}: ${entry.messages.length} messages`;
  if (entry.kind === "user") return `## User\n\n${promptText(entry.message)}`;
  return `## ${entry.kind === "text" ? "Model" : "Model, thinking"}${entry.complete ? "" : " (cut off)"}\n\n${entry.text}`;
}

function toolText(call: CallFacts | undefined): string {
  if (call === undefined) return "## Tool";
  const { tool, callId, outcome, input, atMs, finished, denied } = call;
  const output = finished?.output ?? denied;
  return [
    `## Tool ${tool} (${callId}) at ${formatOffset(atMs)}: ${outcome}`,
    codeBlock(JSON.stringify(input, undefined, 2) ?? ""),
    `${formatDecisions(call)}; ${output === undefined ? formatOutcome(call) : outcome}${finished ? `, ${finished.durationMs} ms` : ""}`,
    ...(output === undefined ? [] : [codeBlock(output)]),
  ].join("\n\n");
}
