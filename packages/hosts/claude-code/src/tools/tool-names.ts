import { BUILTIN_TOOL_NAMES, LEGACY_TOOL_NAME_ALIASES } from "@anthropic-ai/claude-agent-sdk";

/** The name under which our tools are served to the host. */
export const serverName = "bridle";

/** The host's tool for structured output; present exactly when a schema was passed (observed on 2.1.330). */
export const structuredOutputName = "StructuredOutput";

const prefix = `mcp__${serverName}__`;

export function hostToolName(name: string): string {
  return `${prefix}${name}`;
}

/** Our name for a host's tool id; the id itself for what is not ours. */
export function ourToolName(id: string): string {
  return id.startsWith(prefix) ? id.slice(prefix.length) : id;
}

export function isOurs(id: string): boolean {
  return id.startsWith(prefix);
}

/** Every tool that the pinned version may offer by itself, old names included; taken from the SDK, never typed here. */
export const builtinNames: readonly string[] = [...BUILTIN_TOOL_NAMES, ...Object.keys(LEGACY_TOOL_NAME_ALIASES)];

const newNames: Readonly<Record<string, string>> = LEGACY_TOOL_NAME_ALIASES;

/** The name that the SDK has now for a host's tool: Claude Code calls its Agent by the old name Task when it comes up. */
export function currentName(name: string): string {
  return newNames[name] ?? name;
}

/** The host's tool that starts a subagent. */
export const agentTool = "Agent";

/** The plugins that are part of the binary and come up unless each is switched off (observed on 2.1.330). */
export const builtinPlugins = ["cc-plugin-agents-md", "cc-plugin-privacy", "cc-plugin-plugin-authoring"] as const;

/** The longest that a timer runs, some 24 days: what waits for a person is ended by our own limits, never by the host's. */
export const longestWaitSeconds = 2_147_483;
