import { type AnyTool, ConfigError, type Logger, type OpenedTools, type ToolOpeningContext } from "@bridle/protocol";
import type { Tool } from "@modelcontextprotocol/client";
import { checkServer } from "./check-server.ts";
import { classifyMcpFault } from "./classify-fault.ts";
import { Connection } from "./connection.ts";
import { describeCause } from "./describe-cause.ts";
import { logToolChanges } from "./log-tool-changes.ts";
import type { McpToolConfig } from "./mcp-config.ts";
import { serverEnvironment } from "./server-environment.ts";
import { toTools } from "./to-tools.ts";

/** The maximum number of tool names in the instructions. With more tools, the instructions do not name them. */
const maxNames = 20;

/**
 * Starts a server of the Model Context Protocol, or connects to one, and opens its tools.
 *
 * The result contains the tools that the server lists now. Later changes are logged but not adopted: the tools of an agent must not change
 * after a review.
 *
 * @throws ConfigError if the server cannot be used, or has a tool that cannot. Nothing is left open then.
 *
 * @example
 * const opened = await openMcpServer({ type: "mcp", name: "issues", command: "npx", args: ["-y", "some-mcp-server"], … }, context);
 * opened.tools; // [{ name: "search_issues", … }, …]
 * await opened.close();
 */
export async function openMcpServer(config: McpToolConfig, context: ToolOpeningContext): Promise<OpenedTools> {
  const { baseDir, logger, signal = new AbortController().signal, isRehearsed = false, trusted } = context;
  checkServer(config, context);
  const env = await serverEnvironment(config, context);
  const server = new OpenServer(
    config,
    logger,
    (onToolsChanged) => new Connection({ config, baseDir, env, logger, trusted, isRehearsed, onToolsChanged }),
  );
  try {
    const tools = await server.open(signal);
    const { description } = config;
    return {
      tools,
      instructions: description === undefined ? undefined : toolInstructions(config.name, description, tools),
      close: () => server.close(),
    };
  } catch (error) {
    await server.close();
    throw error;
  }
}

/** A server with the tools that it last listed. */
class OpenServer {
  readonly #config: McpToolConfig;
  readonly #logger: Logger;
  readonly #connection: Connection;
  #listed: readonly AnyTool[] = [];

  constructor(config: McpToolConfig, logger: Logger, connect: (onToolsChanged: () => void) => Connection) {
    this.#config = config;
    this.#logger = logger;
    this.#connection = connect(() => void this.#compareTools());
  }

  /** Connects and lists the tools. */
  async open(signal: AbortSignal): Promise<readonly AnyTool[]> {
    this.#listed = this.#toTools(await this.#firstList(signal));
    return this.#listed;
  }

  close(): Promise<void> {
    return this.#connection.close();
  }

  async #firstList(signal: AbortSignal): Promise<readonly Tool[]> {
    try {
      await this.#connection.open(signal);
      return await this.#connection.listTools();
    } catch (cause) {
      signal.throwIfAborted();
      const problem = `The MCP server ${this.#config.name} cannot be used: ${describeCause(cause)}.`;
      throw new ConfigError(`${problem} ${remedyFor(this.#config, cause)}`, { cause });
    }
  }

  /** Lists the tools again and logs the changes. */
  async #compareTools(): Promise<void> {
    const { name } = this.#config;
    try {
      const next = this.#toTools(await this.#connection.listTools());
      logToolChanges(name, this.#listed, next, this.#logger);
      this.#listed = next;
    } catch (error) {
      const fields = { server: name, error: describeCause(error) };
      this.#logger.warn(fields, "the tools of an MCP server could not be listed again");
    }
  }

  #toTools(listed: readonly Tool[]): readonly AnyTool[] {
    return toTools(listed, this.#config, this.#connection, this.#logger);
  }
}

/** Shows the address without its query, which may contain a credential. */
function remedyFor({ transport, command, url }: McpToolConfig, cause: unknown): string {
  if (transport === "stdio") return `Check that ${command} with its args runs in the folder of the agent file.`;
  if (classifyMcpFault(cause) === "refused") return "Check the credentials in its headers.";
  const { origin, pathname } = new URL(url ?? "");
  return `Check that ${origin}${pathname} is running and has the transport ${transport}.`;
}

function toolInstructions(server: string, description: string, tools: readonly AnyTool[]): string {
  const names = tools.length > maxNames ? "" : ` (${tools.map((tool) => tool.name).join(", ")})`;
  return `The tools of ${server}${names}: ${description}`;
}
