import { type AnyTool, ConfigError } from "@bridle/protocol";
import type { Tool } from "@modelcontextprotocol/client";
import type { OpenedTools, Surroundings } from "../opening/opened-tools.ts";
import { faultOf } from "./classify-fault.ts";
import { type Connection, createConnection } from "./connection.ts";
import { tellChanges } from "./log-tool-changes.ts";
import type { McpToolConfig } from "./mcp-config.ts";
import { serverEnvironment } from "./server-environment.ts";
import { reasonOf } from "./session.ts";
import { toTools } from "./to-tools.ts";

/** Of more tools than these the names are not told: the model sees them with the tools. */
const namesTold = 20;

/**
 * Starts or reaches a server of the Model Context Protocol and opens its tools. Throws ConfigError where it cannot be
 * had, or lists tools that cannot be offered; nothing is left open then.
 *
 * The tools are those that the server lists now. What it changes later is logged and not taken over: a server that
 * others run must not change what an agent was opened with, and looked at.
 *
 * @example
 * const opened = await openMcpServer({ type: "mcp", name: "issues", command: "npx", args: ["-y", "some-mcp-server"], … }, surroundings);
 * opened.tools; // [{ name: "search_issues", … }, …]
 * await opened.close();
 */
export async function openMcpServer(config: McpToolConfig, surroundings: Surroundings): Promise<OpenedTools> {
  const { baseDir, logger, signal = new AbortController().signal } = surroundings;
  const env = await serverEnvironment(config, surroundings);
  const connection = createConnection({ config, baseDir, env, logger, onToolsChanged: () => void look() });
  let known: readonly AnyTool[] = [];

  async function look(): Promise<void> {
    try {
      const next = toTools(await connection.listTools(), config, connection, logger);
      tellChanges(config.name, known, next, logger);
      known = next;
    } catch (error) {
      logger.warn(
        { server: config.name, error: reasonOf(error) },
        "the tools of an MCP server could not be read again",
      );
    }
  }

  try {
    const tools = toTools(await firstList(connection, config, signal), config, connection, logger);
    known = tools;
    return {
      tools,
      ...(config.description !== undefined && { instructions: introduce(config, tools) }),
      close: () => connection.close(),
    };
  } catch (error) {
    await connection.close();
    throw error;
  }
}

async function firstList(connection: Connection, config: McpToolConfig, signal: AbortSignal): Promise<readonly Tool[]> {
  try {
    await connection.open(signal);
    return await connection.listTools();
  } catch (cause) {
    signal.throwIfAborted();
    const problem = `The MCP server ${config.name} cannot be used: ${reasonOf(cause)}.`;
    throw new ConfigError(`${problem} ${remedy(config, cause)}`, { cause });
  }
}

/** An address is told without what may be a credential in it. */
function remedy({ transport, command, url }: McpToolConfig, cause: unknown): string {
  if (transport === "stdio") return `See that ${command} runs with its args in the folder of the agent's file.`;
  if (faultOf(cause) === "refused") return "See that its headers say who calls.";
  const { origin, pathname } = new URL(url ?? "");
  return `See that ${origin}${pathname} is up and speaks the transport ${transport}.`;
}

function introduce({ name, description }: McpToolConfig, tools: readonly AnyTool[]): string {
  const names = tools.length > namesTold ? "" : ` (${tools.map((tool) => tool.name).join(", ")})`;
  return `The tools of ${name}${names}: ${description}`;
}
