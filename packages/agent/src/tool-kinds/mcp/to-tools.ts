import { type AnyTool, ConfigError, getErrorMessage, type Logger, suggestion } from "@bridle/protocol";
import type { Tool } from "@modelcontextprotocol/client";
import type { Connection } from "./connection.ts";
import type { McpToolConfig } from "./mcp-config.ts";
import { toMcpTool, toolName } from "./to-tool.ts";
import { createToolInputs } from "./tool-inputs.ts";

/**
 * Returns the server's tools that the configuration selects. A tool that cannot be used is left out, with a log message.
 *
 * @throws ConfigError if a selected tool does not exist or cannot be used, or if two tools have the same name.
 */
export function toTools(
  listed: readonly Tool[],
  config: McpToolConfig,
  connection: Pick<Connection, "callTool">,
  logger: Logger,
): readonly AnyTool[] {
  const chosen = chooseTools(listed, config);
  refuseSameNames(chosen, config);
  const createInput = createToolInputs(logger);
  return chosen.flatMap((tool) => {
    try {
      requirePlainCalls(tool);
      return [toMcpTool(tool, config, { connection, createInput })];
    } catch (cause) {
      const reason = getErrorMessage(cause);
      if (config.tools)
        throw serverError(config, `the tool ${tool.name} cannot be used: ${reason}. Remove it from tools.`, cause);
      logger.warn({ server: config.name, tool: tool.name }, `a tool of an MCP server is left out: ${reason}`);
      return [];
    }
  });
}

/** Throws for a tool that only runs as a task, that is, whose result has to be fetched later. */
function requirePlainCalls({ execution }: Tool): void {
  if (execution?.taskSupport === "required") throw new Error("it only runs as a task, which is not supported");
}

function chooseTools(listed: readonly Tool[], config: McpToolConfig): readonly Tool[] {
  if (!config.tools) return listed;
  const names = listed.map(({ name }) => name);
  return config.tools.map((wanted) => {
    const found = listed.find(({ name }) => name === wanted);
    if (found) return found;
    throw serverError(
      config,
      `it has no tool ${wanted}.${suggestion(wanted, names)} It has ${names.join(", ") || "none"}.`,
    );
  });
}

function refuseSameNames(tools: readonly Tool[], config: McpToolConfig): void {
  const seen = new Map<string, string>();
  for (const { name } of tools) {
    const shown = toolName(name, config);
    const other = seen.get(shown);
    if (other !== undefined) {
      const conflict =
        other === name
          ? `two tools are named ${name}`
          : `the tools ${other} and ${name} both have the name ${shown} for models`;
      throw serverError(config, `${conflict}. List the tools that you need in tools.`);
    }
    seen.set(shown, name);
  }
}

function serverError({ name }: McpToolConfig, problem: string, cause?: unknown): ConfigError {
  return new ConfigError(`The MCP server ${name}: ${problem}`, { field: "tools", cause });
}
