import { normaliseToolName } from "@bridle/core";
import { type AnyTool, ConfigError, type SourcePosition } from "@bridle/protocol";
import type { ToolConfig } from "../config/tools.ts";
import type { AgentDefinition } from "../definition/agent-definition.ts";
import type { DocumentsServices } from "../documents/open-agent-documents.ts";
import type { OpenedTools, Surroundings } from "./opened-tools.ts";

/** All tools of an agent. */
export interface AgentTools {
  readonly entries: readonly OpenedEntry[];
  /** What the model needs to know of them, beside its own instructions. */
  readonly instructions: readonly string[];
  /** Never rejects. */
  close(): Promise<void>;
}

/** One entry of the file, and the tools that it gives. */
export interface OpenedEntry {
  /** Where it stands, such as `tools.0`. */
  readonly field: string;
  /** Such as `mcp`. */
  readonly kind: string;
  readonly tools: readonly AnyTool[];
}

interface Entry {
  readonly field: string;
  readonly kind: string;
  open(): Promise<OpenedTools>;
}

/**
 * Opens the tools of every entry at the same time, in the order of the file. Throws ConfigError with the place of the
 * entry, and leaves nothing open then.
 */
export async function openTools(
  definition: AgentDefinition,
  surroundings: Surroundings,
  services: DocumentsServices,
): Promise<AgentTools> {
  const entries = entriesOf(definition, surroundings, services);
  const settled = await Promise.allSettled(entries.map(({ open }) => open()));
  const opened = settled.flatMap((each) => (each.status === "fulfilled" ? [each.value] : []));
  const close = async () => void (await Promise.all(opened.map((each) => each.close())));
  try {
    const found = settled.map((each, index) => {
      const entry = entries[index] as Entry;
      if (each.status === "rejected") throw placed(each.reason, entry, definition);
      return { field: entry.field, kind: entry.kind, tools: each.value.tools };
    });
    refuseSameNames(found, definition);
    return { entries: found, instructions: opened.flatMap(({ instructions }) => instructions ?? []), close };
  } catch (error) {
    await close();
    throw error;
  }
}

function entriesOf({ config }: AgentDefinition, surroundings: Surroundings, services: DocumentsServices): Entry[] {
  const { tools = [], skills } = config;
  const listed = tools.map((tool, index) => ({
    field: `tools.${index}`,
    kind: tool.type,
    open: () => openTool(tool, surroundings, services),
  }));
  if (skills === undefined) return listed;
  const open = async () => (await import("../skills/open-skills.ts")).openSkills(skills, surroundings);
  return [...listed, { field: "skills", kind: "skills", open }];
}

/** Nothing of a kind is imported before an agent has one. */
async function openTool(
  tool: ToolConfig,
  surroundings: Surroundings,
  services: DocumentsServices,
): Promise<OpenedTools> {
  switch (tool.type) {
    case "function":
      return (await import("../function/open-function-tool.ts")).openFunctionTool(tool, surroundings);
    case "mcp":
      return (await import("../mcp/open-mcp-server.ts")).openMcpServer(tool, surroundings);
    case "documents":
    case "vectorstore":
    case "hierarchical_document":
      return (await import("../documents/open-documents-tool.ts")).openDocumentsTool(tool, surroundings, services);
    case "prompt":
      throw new ConfigError("Tools of the type prompt are not supported.");
  }
}

/** The error with the place of the entry, where it has none of its own. */
function placed(error: unknown, { field }: Entry, { places }: AgentDefinition): unknown {
  if (!(error instanceof ConfigError) || error.position) return error;
  const position = places.positions[field];
  return position ? new ConfigError(error.message, { position, field, cause: error }) : error;
}

function refuseSameNames(entries: readonly OpenedEntry[], { places }: AgentDefinition): void {
  const seen = new Map<string, OpenedEntry>();
  for (const entry of entries) {
    for (const { name } of entry.tools) {
      const first = seen.get(normaliseToolName(name));
      if (first) throw meeting(name, first, entry, places.positions);
      seen.set(normaliseToolName(name), entry);
    }
  }
}

function meeting(
  name: string,
  first: OpenedEntry,
  second: OpenedEntry,
  positions: Readonly<Record<string, SourcePosition>>,
): ConfigError {
  const line = positions[first.field]?.line;
  const where = line === undefined ? first.field : `${first.field} (line ${line})`;
  const message = `${where} and ${second.field} both give a tool named "${name}". Rename one of them, or take others of a server with its key tools.`;
  const position = positions[second.field];
  return new ConfigError(message, { field: second.field, ...(position && { position }) });
}
