import { canonicalJson, isPlainObject } from "@bridle/protocol";
import type { Call, CallEntry } from "../result/call.ts";
import type { TurnResult } from "../result/trial-result.ts";

/**
 * Formats a transcript as plain lines, to read and to compare. They contain nothing that differs by chance or by host: no ids, durations or
 * reasoning, and object keys are sorted.
 */
export function transcriptLines(turns: readonly TurnResult[]): string[] {
  return turns.flatMap((turn, index) => [
    ...(turns.length > 1 ? [`Turn ${index + 1}`] : []),
    ...said(turn).flatMap(entryLines),
    ...(turn.object === null ? [] : ["Object:", ...indented(JSON.stringify(inOneOrder(turn.object), null, 2))]),
    ...ending(turn),
  ]);
}

type Said = Exclude<CallEntry, { kind: "reasoning" }>;

/** Joins consecutive texts, because hosts split text differently. */
function said({ transcript, input, files }: TurnResult): Said[] {
  const hasInput = transcript.some(({ kind }) => kind === "user");
  const entries: Said[] = hasInput ? [] : [{ kind: "user", text: input, attachments: files }];
  for (const entry of transcript) {
    if (entry.kind === "reasoning") continue;
    const last = entries.at(-1);
    if (entry.kind === "text" && last?.kind === "text") {
      entries[entries.length - 1] = { kind: "text", text: `${last.text}\n${entry.text}` };
    } else entries.push(entry);
  }
  return entries;
}

function entryLines(entry: Said): string[] {
  switch (entry.kind) {
    case "user":
      return ["User:", ...indented(entry.text), ...entry.attachments.map((file) => `  (file ${file})`)];
    case "text":
      return ["Agent:", ...indented(entry.text)];
    case "call":
      return callLines(entry);
  }
}

function callLines({ tool, input, state, output }: Call): string[] {
  if (output === null) return [`Call ${tool} (${state}):`, ...inputLines(input)];
  const head = state === "succeeded" ? "Result:" : `Result, ${state}:`;
  return [`Call ${tool}:`, ...inputLines(input), head, ...indented(output.trim() === "" ? "(nothing)" : output)];
}

/** Formats each argument on a separate line, so that a comparison shows which one differs. */
function inputLines(input: unknown): string[] {
  const value = inOneOrder(input);
  if (value === null) return [];
  if (!isPlainObject(value)) return indented(JSON.stringify(value, null, 2));
  return Object.entries(value).flatMap(([name, item]) => indented(`${name}: ${JSON.stringify(item, null, 2)}`));
}

function inOneOrder(value: unknown): unknown {
  return JSON.parse(canonicalJson(value));
}

function ending({ stopReason }: TurnResult): string[] {
  if (stopReason === "natural") return [];
  if (stopReason === null) return ["(The run did not start.)"];
  const how = { budget: "the steps were used up", stopped: "the run was stopped", error: "the run failed" }[stopReason];
  return [`(It ended early: ${how}.)`];
}

function indented(text: string): string[] {
  return text
    .trimEnd()
    .split(/\r\n|\r|\n/)
    .map((line) => `  ${line}`.trimEnd());
}
