import { normaliseToolName, sha256 } from "@bridle/core";
import {
  type AnyTool,
  ConfigError,
  canonicalJson,
  type OpenedTools,
  type RetrievalResult,
  type SourcePosition,
  type ToolOpeningContext,
} from "@bridle/protocol";
import type { AgentDefinition } from "../definition/agent-definition.ts";
import { findKind } from "../tool-kinds/find-kind.ts";

/** All tools of an agent. */
export interface AgentTools {
  readonly entries: readonly OpenedEntry[];
  /** Instructions about the tools, which are appended to the agent's own. */
  readonly instructions: readonly string[];
  /** Closes the tools. Never rejects. */
  close(): Promise<void>;
}

/** One entry of the agent file with its opened tools. */
export interface OpenedEntry {
  /** The path of the entry, such as `tools.0`. */
  readonly field: string;
  /** The `type` of the entry, such as `mcp`, or `skills`. */
  readonly kind: string;
  /** A short description of where the tools come from, without credentials, such as `lookupOrder in tools.ts`. */
  readonly source: string;
  /** Which part of the results is retrieved text for metrics; undefined if the tools retrieve nothing. */
  readonly retrieval?: RetrievalResult | undefined;
  readonly tools: readonly AnyTool[];
}

interface Entry extends Omit<OpenedEntry, "tools"> {
  /** Identifies the code that implements the entry's tools. */
  readonly origin: unknown;
  open(): Promise<OpenedTools>;
}

const ofProgram = { field: "the program's tools", kind: "program", source: "the program" };

/**
 * Opens the tools of every entry at the same time. The result has the order of the file, with the program's own tools at the end.
 *
 * @throws ConfigError with the position of the entry. Nothing is left open then.
 */
export async function openTools(
  definition: AgentDefinition,
  context: ToolOpeningContext,
  own: readonly AnyTool[] = [],
): Promise<AgentTools> {
  const entries = listEntries(definition, context);
  const settled = await Promise.allSettled(entries.map(({ open }) => open()));
  const opened = settled.flatMap((each) => (each.status === "fulfilled" ? [each.value] : []));
  const close = async () => void (await Promise.all(opened.map((each) => each.close())));
  try {
    const ofFile = settled.map((each, index) => toOpenedEntry(each, entries[index] as Entry, definition));
    const found = own.length === 0 ? ofFile : [...ofFile, { ...ofProgram, tools: own }];
    refuseSameNames(found, definition);
    return { entries: found, instructions: opened.flatMap(({ instructions }) => instructions ?? []), close };
  } catch (error) {
    await close();
    throw error;
  }
}

function listEntries({ path, config, toolKinds }: AgentDefinition, context: ToolOpeningContext): Entry[] {
  const { tools = [], skills } = config;
  const { baseDir } = context;
  const ofTools = tools.map((tool, index): Entry => {
    const kind = findKind(tool, toolKinds);
    const field = `tools.${index}`;
    const trusted = context.trusted.only((effect, file) => file === path && effect.field === field);
    return {
      field,
      kind: tool.type,
      source: kind.describe(tool),
      retrieval: kind.retrieval?.(tool),
      origin: { baseDir, ...(kind.origin?.(tool) ?? tool) },
      open: () => kind.open(tool, { ...context, trusted }),
    };
  });
  if (skills === undefined) return ofTools;
  const open = async () => (await import("../skills/open-skills.ts")).openSkills(skills, context);
  return [
    ...ofTools,
    { field: "skills", kind: "skills", source: skills.join(", "), origin: { baseDir, skills }, open },
  ];
}

function toOpenedEntry(
  settled: PromiseSettledResult<OpenedTools>,
  { open: _open, origin, ...entry }: Entry,
  definition: AgentDefinition,
): OpenedEntry {
  if (settled.status === "rejected") throw withPosition(settled.reason, entry.field, definition);
  const source = `${entry.kind} ${entry.source} (${sha256(canonicalJson(origin)).slice(0, 12)})`;
  return { ...entry, tools: settled.value.tools.map((tool) => ({ ...tool, source })) };
}

/** Adds the position of the entry to the error, if it has no position yet. */
export function withPosition(error: unknown, field: string, { sources }: Pick<AgentDefinition, "sources">): unknown {
  if (!(error instanceof ConfigError) || error.position) return error;
  const position = sources.positions[`${field}.${error.field}`] ?? sources.positions[field];
  return position ? new ConfigError(error.message, { position, field, cause: error }) : error;
}

/** An entry with the names of its tools. */
interface NamedEntry extends Pick<OpenedEntry, "field"> {
  readonly tools: readonly Pick<AnyTool, "name">[];
}

/** Throws ConfigError if two tools have the same name. */
export function refuseSameNames(entries: readonly NamedEntry[], { sources }: Pick<AgentDefinition, "sources">): void {
  const seen = new Map<string, NamedEntry>();
  for (const entry of entries) {
    for (const { name } of entry.tools) {
      const first = seen.get(normaliseToolName(name));
      if (first) throw sameNameError(name, first, entry, sources.positions);
      seen.set(normaliseToolName(name), entry);
    }
  }
}

function sameNameError(
  name: string,
  first: NamedEntry,
  second: NamedEntry,
  positions: Readonly<Record<string, SourcePosition>>,
): ConfigError {
  const line = positions[first.field]?.line;
  const subject = line === undefined ? first.field : `${first.field} (line ${line})`;
  const message = `${subject} and ${second.field} both have a tool named "${name}". Rename one of them, or choose other tools of a server with its key tools.`;
  const position = positions[second.field];
  return new ConfigError(message, { field: second.field, ...(position && { position }) });
}
