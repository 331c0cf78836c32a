import type { ConversationSpec } from "@bridle/protocol";
import { acceptsKeySource } from "../auth/auth-modes.ts";
import type { Init } from "../messages/messages.ts";
import type { ClaudeAuthMode } from "../options.ts";
import { currentName, serverName } from "../tools/tool-names.ts";
import { expectedTools } from "./host-options.ts";
import { isAtLeast, minimumHostVersion } from "./versions.ts";

/**
 * Returns the differences between the requested configuration and the report that the host sends at its start; empty if there are none.
 * Does not compare commands, skills and agents, because the report contains only their names.
 */
export function boundaryDifferences(init: Init, spec: ConversationSpec, auth: ClaudeAuthMode): string[] {
  const servers = spec.tools.length > 0 ? [serverName] : [];
  const serverNames = init.mcp_servers.map(({ name }) => name);
  return [
    ...setDifferences("tool", init.tools.map(currentName), expectedTools(spec).map(currentName)),
    ...setDifferences("MCP server", serverNames, servers),
    ...init.mcp_servers
      .filter(({ status }) => status !== "connected")
      .map(({ name, status }) => `MCP server ${name} is ${status}`),
    ...init.plugins.map(({ name }) => `plugin ${name} is loaded`),
    ...(acceptsKeySource(auth, init.apiKeySource)
      ? []
      : [`credentials come from ${init.apiKeySource}, not from auth: ${auth}`]),
    ...(isAtLeast(init.claude_code_version, minimumHostVersion)
      ? []
      : [`Claude Code is ${init.claude_code_version}, older than ${minimumHostVersion}`]),
  ];
}

function setDifferences(kind: string, found: readonly string[], expected: readonly string[]): string[] {
  return [
    ...found.filter((name) => !expected.includes(name)).map((name) => `${kind} ${name} was not passed`),
    ...expected.filter((name) => !found.includes(name)).map((name) => `${kind} ${name} is missing`),
  ];
}
