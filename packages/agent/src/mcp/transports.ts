import type { Environment } from "@bridle/project";
import type { Logger } from "@bridle/protocol";
import { SSEClientTransport, StreamableHTTPClientTransport, type Transport } from "@modelcontextprotocol/client";
import type { McpToolConfig } from "./mcp-config.ts";
import { createStdioTransport } from "./stdio-transport.ts";

export interface TransportParts {
  readonly config: McpToolConfig;
  /** Where the server starts. */
  readonly baseDir: string;
  /** The variables of the server. */
  readonly env: Environment;
  readonly logger: Logger;
}

/** One way to a server, which is used once. */
export interface ServerLink {
  readonly transport: Transport;
  /** How the server ended, where that is known. */
  lastWords(): string;
  /** Before it is closed: the server need not wait for us any longer. */
  takeLeave(): Promise<void>;
}

/** Makes the transport that a configuration asks for. */
export function createLink({ config, baseDir, env, logger }: TransportParts): ServerLink {
  const { name, command = "", args = [], headers = {} } = config;
  const nothing = { lastWords: () => "", takeLeave: async () => {} };
  if (config.transport === "stdio") {
    const transport = createStdioTransport({ command, args, cwd: baseDir, env }, (line) =>
      logger.info({ server: name }, line),
    );
    return { transport, lastWords: () => transport.lastWords, takeLeave: nothing.takeLeave };
  }
  const url = new URL(config.url ?? "");
  if (config.transport === "sse")
    return { ...nothing, transport: new SSEClientTransport(url, { requestInit: { headers } }) };
  const transport = new StreamableHTTPClientTransport(url, { requestInit: { headers } });
  const takeLeave = () => transport.terminateSession();
  return { ...nothing, transport, ...(config.terminate_on_close !== false && { takeLeave }) };
}
