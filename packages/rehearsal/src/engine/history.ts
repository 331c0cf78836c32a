import { resultImagesLabel } from "@bridle/protocol";
import type { PastAnswer, RehearsedConversation, ToolResult } from "./conversation.ts";

/** One entry of a conversation's history, independent of a protocol. */
export type ScriptHistoryEntry =
  | { readonly kind: "prompt"; readonly text: string }
  | { readonly kind: "answer"; readonly calls: readonly PastCall[] }
  /** Tool results. Without results, the entry is a note that the host added. */
  | { readonly kind: "results"; readonly results: readonly PastResult[] };

interface PastCall {
  readonly id: string;
  readonly name: string;
}

interface PastResult {
  /** The id of the call that this result answers. */
  readonly id: string;
  readonly text: string;
}

export type Past = Pick<RehearsedConversation, "user" | "turn" | "answers" | "results">;

/** Reads the state of a conversation from its entries, oldest first. */
export function readHistory(entries: readonly ScriptHistoryEntry[]): Past {
  const prompts = entries.filter(({ kind }) => kind === "prompt");
  const newest = entries.findLastIndex(({ kind }) => kind === "prompt");
  const prompt = entries[newest];
  const names = new Map(entries.flatMap(callsOf).map(({ id, name }) => [id, name]));
  return {
    user: prompt?.kind === "prompt" ? prompt.text : "",
    turn: Math.max(prompts.length, 1),
    answers: toAnswers(entries.slice(newest + 1), names),
    results: entries.flatMap((entry) => toResults(entry, names)),
  };
}

/** Returns the first prompt, which distinguishes conversations if the protocol does not. */
export function firstPrompt(entries: readonly ScriptHistoryEntry[]): string {
  const first = entries.find(({ kind }) => kind === "prompt");
  return first?.kind === "prompt" ? first.text : "";
}

/** Merges consecutive entries of the model into one answer, because some hosts write one entry for each part. */
function toAnswers(entries: readonly ScriptHistoryEntry[], names: ReadonlyMap<string, string>): PastAnswer[] {
  const starts = entries.flatMap(({ kind }, index) =>
    kind === "answer" && entries[index - 1]?.kind !== "answer" ? [index] : [],
  );
  return starts.map((start, order) => ({
    results: entries.slice(start, starts[order + 1]).flatMap((entry) => toResults(entry, names)),
  }));
}

function toResults(entry: ScriptHistoryEntry, names: ReadonlyMap<string, string>): ToolResult[] {
  if (entry.kind !== "results") return [];
  return entry.results.map(({ id, text }) => ({ tool: names.get(id) ?? "", text }));
}

function callsOf(entry: ScriptHistoryEntry): readonly PastCall[] {
  return entry.kind === "answer" ? entry.calls : [];
}

/** Returns the entry of a user message. A message that only adds the images of tool results has no entry. */
export function toPromptEntry(text: string): ScriptHistoryEntry[] {
  return text.startsWith(resultImagesLabel) ? [] : [{ kind: "prompt", text }];
}
