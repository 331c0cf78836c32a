import { BUILTIN_TOOL_NAMES, LEGACY_TOOL_NAME_ALIASES } from "@anthropic-ai/claude-agent-sdk";

/** The name of the MCP server that serves our tools to the host. */
export const serverName = "bridle";

/** The host's tool for structured output. It exists exactly if a schema was passed (observed on 2.1.330). */
export const structuredOutputName = "StructuredOutput";

const prefix = `mcp__${serverName}__`;

/** Returns the host's name for one of our tools. */
export function hostToolName(name: string): string {
  return `${prefix}${name}`;
}

/** Returns our name for a tool of the host's list. A name that is not ours stays as it is. */
export function ourToolName(id: string): string {
  return id.startsWith(prefix) ? id.slice(prefix.length) : id;
}

export function isOurs(id: string): boolean {
  return id.startsWith(prefix);
}

/** Every tool that the pinned version may provide itself, including old names. The list comes from the SDK. */
export const builtinNames: readonly string[] = [...BUILTIN_TOOL_NAMES, ...Object.keys(LEGACY_TOOL_NAME_ALIASES)];

const newNames: Readonly<Record<string, string>> = LEGACY_TOOL_NAME_ALIASES;

/** Returns the SDK's current name of a host tool. At its start, Claude Code still reports Agent by its old name Task. */
export function currentName(name: string): string {
  return newNames[name] ?? name;
}

/** The host's tool that starts a subagent. */
export const subagentTool = "Agent";

/** The plugins in the binary, which load unless each is switched off (observed on 2.1.330). */
export const builtinPlugins = ["cc-plugin-agents-md", "cc-plugin-privacy", "cc-plugin-plugin-authoring"] as const;

/** The longest timer, about 24 days. Our own limits end a call that waits for the user; the host's must not. */
export const maxWaitSeconds = 2_147_483;
