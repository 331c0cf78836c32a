import { promptText, type RunEvent, type TranscriptEntry } from "@bridle/protocol";
import type { TextSink } from "../archive/spool-file.ts";
import type { CallFacts } from "./call-facts.ts";
import { codeBlock, inline, quote, quoteJson } from "./code-fence.ts";
import { isNews, type RunFacts } from "./run-facts.ts";
import { formatDecisions, formatEnd, formatOffset, formatOutcome, formatRetry } from "./run-words.ts";
import { Sections } from "./sections.ts";

/** Writes the conversation, the calls, retries and notices as Markdown, run by run. */
export class TranscriptText {
  readonly #sections: Sections;

  constructor(sink: TextSink) {
    this.#sections = new Sections(sink);
  }

  /** Begins a run, or continues a run after events of another one. */
  begin(event: RunEvent, isContinued: boolean): void {
    this.#sections.begin(isContinued ? `${event.runId}, continued` : event.runId);
    this.#sections.add(`Started: ${new Date(event.time).toISOString()}`);
    if (event.type !== "run.started") return;
    const { model, backend, rehearsed = false } = event;
    this.#sections.add(inline(`Model: ${model} on ${backend}${rehearsed ? " (rehearsed)" : ""}`));
  }

  addEntry(entry: TranscriptEntry, call: CallFacts | undefined): void {
    this.#sections.add(formatEntry(entry, call));
  }

  addNote(note: string): void {
    this.#sections.add(note);
  }

  endRun(facts: RunFacts): void {
    this.#sections.add(inline(`Answered by: ${facts.answeredBy.join(", ") || "no model"}`));
    this.#sections.add(`Ended: ${facts.result ? formatEnd(facts) : "not in the event log"}`);
    const unknown = facts.unknown.map((line) => `- ${inline(line)}`);
    if (unknown.length > 0) this.#sections.add(`## Not known\n\n${unknown.join("\n")}`);
    this.#sections.end();
  }
}

/** Describes a retry, a limit or a notice. Undefined for all other events. */
export function formatNote(event: RunEvent, startedAt: number): string | undefined {
  if (event.type === "retry.scheduled") return inline(`## Retry at ${formatRetry(event, startedAt)}`);
  if (!isNews(event)) return undefined;
  const { type, seq: _seq, time, runId: _runId, sessionId: _sessionId, ...fields } = event;
  return `## ${type} at ${formatOffset(time - startedAt)}\n\n${quoteJson(fields)}`;
}

function formatEntry(entry: TranscriptEntry, call: CallFacts | undefined): string {
  if (entry.kind === "tool") return formatTool(call);
  if (entry.kind === "history") return `## History ${entry.reason}: ${entry.messages.length} messages`;
  if (entry.kind === "user") return `## User\n\n${quote(promptText(entry.message))}`;
  return `## ${entry.kind === "text" ? "Model" : "Model, thinking"}${entry.complete ? "" : " (cut off)"}\n\n${quote(entry.text)}`;
}

function formatTool(call: CallFacts | undefined): string {
  if (call === undefined) return "## Tool";
  const { tool, callId, outcome, input, atMs, finished, denied } = call;
  const output = finished?.output ?? denied;
  return [
    `## Tool ${inline(tool)} (${inline(callId)}) at ${formatOffset(atMs)}: ${outcome}`,
    quoteJson(input),
    inline(
      `Decision: ${formatDecisions(call)}; ${output === undefined ? formatOutcome(call) : outcome}${finished ? `, ${finished.durationMs} ms` : ""}`,
    ),
    ...(output === undefined ? [] : [quote(codeBlock(output))]),
  ].join("\n\n");
}
