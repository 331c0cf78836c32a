import { isLoopback } from "@bridle/core";
import { ConfigError, type ToolKindContext } from "@bridle/protocol";
import type { McpToolConfig } from "./mcp-config.ts";

/** Refuses a server on another machine in a rehearsal. Throws ConfigError. */
export function checkServer(
  { name, transport, url = "" }: McpToolConfig,
  { isRehearsed = false }: Pick<ToolKindContext, "isRehearsed">,
): void {
  if (!isRehearsed || transport === "stdio" || isLoopback(url)) return;
  throw new ConfigError(
    `The MCP server ${name} is on another machine, and a rehearsal sends nothing from this machine. Leave the script out, or run the server here: as a command, or at 127.0.0.1.`,
  );
}
