import { type AnyTool, ConfigError, type Logger, suggestion } from "@bridle/protocol";
import type { Tool } from "@modelcontextprotocol/client";
import type { Connection } from "./connection.ts";
import type { McpToolConfig } from "./mcp-config.ts";
import { nameOf, toTool } from "./to-tool.ts";
import { createInputs } from "./tool-inputs.ts";

/**
 * The tools of a server that its configuration takes. One that cannot be checked or called is left out, which is logged,
 * unless it is asked for by name. Throws ConfigError for a name that the server does not have, and for two that meet.
 */
export function toTools(
  listed: readonly Tool[],
  config: McpToolConfig,
  connection: Pick<Connection, "callTool">,
  logger: Logger,
): readonly AnyTool[] {
  const taken = take(listed, config);
  refuseMeeting(taken, config);
  const inputOf = createInputs();
  return taken.flatMap((tool) => {
    try {
      requirePlainCalls(tool);
      return [toTool(tool, config, { connection, inputOf })];
    } catch (cause) {
      const why = cause instanceof Error ? cause.message : String(cause);
      if (config.tools)
        throw wrong(config, `the tool ${tool.name} cannot be offered: ${why}. Take it out of tools.`, cause);
      logger.warn({ server: config.name, tool: tool.name }, `a tool of an MCP server is left out: ${why}`);
      return [];
    }
  });
}

/** A task is a call whose result is fetched later; throws for a tool that can be called in no other way. */
function requirePlainCalls({ execution }: Tool): void {
  if (execution?.taskSupport === "required") throw new Error("it only runs as a task, which is not supported");
}

function take(listed: readonly Tool[], config: McpToolConfig): readonly Tool[] {
  if (!config.tools) return listed;
  const names = listed.map(({ name }) => name);
  return config.tools.map((wanted) => {
    const found = listed.find(({ name }) => name === wanted);
    if (found) return found;
    throw wrong(config, `it has no tool ${wanted}.${suggestion(wanted, names)} It has ${names.join(", ") || "none"}.`);
  });
}

function refuseMeeting(tools: readonly Tool[], config: McpToolConfig): void {
  const seen = new Map<string, string>();
  for (const { name } of tools) {
    const shown = nameOf(name, config);
    const other = seen.get(shown);
    if (other !== undefined) {
      const who =
        other === name
          ? `two tools are named ${name}`
          : `the tools ${other} and ${name} meet: models see both as ${shown}`;
      throw wrong(config, `${who}. Name in tools which ones to take.`);
    }
    seen.set(shown, name);
  }
}

function wrong({ name }: McpToolConfig, problem: string, cause?: unknown): ConfigError {
  return new ConfigError(`The MCP server ${name}: ${problem}`, { field: "tools", cause });
}
