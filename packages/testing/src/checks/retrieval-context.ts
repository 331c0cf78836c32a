import type { OpenedEntry } from "@bridle/agent";
import { normaliseToolName } from "@bridle/core";
import { isPlainObject, type RetrievalResult } from "@bridle/protocol";
import type { Call } from "../result/call.ts";

/** The tools that retrieve text, by their names in calls, and which part of each result is the text. */
export type Retrieving = ReadonlyMap<string, RetrievalResult>;

/** Returns the tools of an agent that retrieve text, according to their kinds. */
export function retrievingTools({
  entries,
}: {
  entries: readonly Pick<OpenedEntry, "retrieval" | "tools">[];
}): Retrieving {
  return new Map(
    entries.flatMap(({ retrieval, tools }) =>
      retrieval === undefined ? [] : tools.map(({ name }) => [normaliseToolName(name), retrieval] as const),
    ),
  );
}

/**
 * Returns the retrieved text of a turn, in the order of the calls: the hits of document searches, and the results of servers. If a search
 * has no stored hits, its whole text is one hit.
 */
export function retrievalContextOf(calls: readonly Call[], retrieving: Retrieving): readonly string[] {
  return calls.flatMap((call) => {
    const kind = retrieving.get(call.tool);
    if (kind === undefined || call.state !== "succeeded") return [];
    const whole = call.output === null || call.output.trim() === "" ? [] : [call.output];
    return kind === "hits" ? (hitsOf(call.structured) ?? whole) : whole;
  });
}

function hitsOf(structured: unknown): readonly string[] | undefined {
  if (!isPlainObject(structured) || !Array.isArray(structured.hits)) return undefined;
  const texts = structured.hits.map((hit: unknown) => (isPlainObject(hit) ? hit.text : undefined));
  return texts.every((text) => typeof text === "string") ? texts : undefined;
}
