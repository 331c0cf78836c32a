import { access } from "node:fs/promises";
import { delimiter, resolve } from "node:path";
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

/**
 * Rejects a server whose program is not installed, with the message of a failed start. On Windows, and without a PATH, only starting the
 * program can detect this. Throws ConfigError.
 */
export async function requireProgram(
  { name, transport, command = "", env }: McpToolConfig,
  { environment, baseDir }: Pick<ToolKindContext, "environment" | "baseDir">,
): Promise<void> {
  const path = env?.PATH ?? environment.PATH;
  if (transport !== "stdio" || process.platform === "win32" || path === undefined) return;
  const folders = command.includes("/") ? [""] : path.split(delimiter);
  for (const folder of folders) if (await exists(resolve(baseDir, folder, command))) return;
  throw new ConfigError(
    `The MCP server ${name} cannot be used: spawn ${command} ENOENT. Check that ${command} with its args runs in the folder of the agent file.`,
    { field: "command" },
  );
}

async function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}
