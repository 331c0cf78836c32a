import type { AgentConfig, OpenAgent } from "@bridle/agent";
import { normaliseToolName } from "@bridle/core";
import { isPlainObject } from "@bridle/protocol";
import type { Call } from "../result/call.ts";

/** Tools that retrieve text, by their names as calls have them, and what a result of theirs is. */
export type Retrieving = ReadonlyMap<string, "hits" | "text">;

const documentKinds: readonly string[] = ["documents", "vectorstore", "hierarchical_document"];

interface AgentTools extends Pick<OpenAgent, "entries"> {
  readonly definition: { readonly config: Pick<AgentConfig, "tools"> };
}

/** Those of an agent: its documents, and the tools of servers with `is_retrieval`. */
export function retrievingTools({ entries, definition }: AgentTools): Retrieving {
  const { tools = [] } = definition.config;
  return new Map(
    entries.flatMap(({ field, kind, tools: opened }) => {
      const config = tools.find((_, index) => field === `tools.${index}`);
      const isServer = config?.type === "mcp" && config.is_retrieval === true;
      if (!isServer && !documentKinds.includes(kind)) return [];
      return opened.map(({ name }) => [normaliseToolName(name), isServer ? "text" : "hits"] as const);
    }),
  );
}

/**
 * What was retrieved in a turn, in the order of the calls: the parts that searches of documents found, and what servers
 * returned. Where a search has no parts on record, its whole text counts as one.
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
