import { BoundaryError, type ConversationSpec } from "@bridle/protocol";
import { acceptsKeySource } from "../auth/auth-modes.ts";
import type { AuthMode } from "../options.ts";
import { currentName, serverName } from "../tools/tool-names.ts";
import type { Init } from "../turn/messages.ts";
import { expectedTools } from "./host-options.ts";
import { isAtLeast, minimumHostVersion } from "./versions.ts";

/**
 * How the host came up, against what was asked for; empty when they are the same. Commands, skills and agents that it
 * lists are names only and are not compared.
 */
export function boundaryDifferences(init: Init, spec: ConversationSpec, auth: AuthMode): string[] {
  const servers = spec.tools.length > 0 ? [serverName] : [];
  return [
    ...setDifferences("tool", init.tools.map(currentName), expectedTools(spec).map(currentName)),
    ...setDifferences(
      "MCP server",
      init.mcp_servers.map(({ name }) => name),
      servers,
    ),
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

export function boundaryError(differences: readonly string[]): BoundaryError {
  return new BoundaryError(
    `Claude Code did not come up as it was asked to: ${differences.join("; ")}. Nothing was run. ` +
      'Run "bridle doctor --boundary" to see what on this machine is in the way.',
    differences,
  );
}

function setDifferences(kind: string, found: readonly string[], expected: readonly string[]): string[] {
  return [
    ...found.filter((name) => !expected.includes(name)).map((name) => `${kind} ${name} was not handed over`),
    ...expected.filter((name) => !found.includes(name)).map((name) => `${kind} ${name} is missing`),
  ];
}
