import { BUILTIN_TOOL_NAMES, LEGACY_TOOL_NAME_ALIASES } from "@anthropic-ai/claude-agent-sdk";

/** The name of the MCP server that serves our tools to the host. */
export const serverName = "bridle";

/** The host's tool for structured output. It exists if and only if a schema was passed (observed on 2.1.330). */
export const structuredOutputName = "StructuredOutput";

const prefix = `mcp__${serverName}__`;

/** Returns the host's name for one of our tools. */
export function hostToolName(name: string): string {
  return `${prefix}${name}`;
}

/** Returns our name for a tool in the host's list. Names of other tools stay unchanged. */
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

/** The plugins in the binary. Each loads unless it is switched off (observed on 2.1.330). */
export const builtinPlugins = ["cc-plugin-agents-md", "cc-plugin-privacy", "cc-plugin-plugin-authoring"] as const;

/** The longest possible timer, about 24 days. Only Bridle's own limits may end a call that waits for the user, not the host's. */
export const maxWaitSeconds = 2_147_483;
