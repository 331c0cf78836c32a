import type { Environment } from "@bridle/project";
import type { Logger } from "@bridle/protocol";
import { SSEClientTransport, StreamableHTTPClientTransport, type Transport } from "@modelcontextprotocol/client";
import type { McpToolConfig } from "./mcp-config.ts";
import { StdioTransport } from "./stdio-transport.ts";

export interface TransportParts {
  readonly config: McpToolConfig;
  /** The working directory of the server. */
  readonly baseDir: string;
  /** The variables of the server. */
  readonly env: Environment;
  readonly logger: Logger;
}

/** A transport for one connection. */
export interface ServerLink {
  readonly transport: Transport;
  /** How the server ended, if known. */
  lastWords(): string;
  /** Notifies the server that the session has ended, before the transport is closed. */
  endSession(): Promise<void>;
}

type TransportName = McpToolConfig["transport"];

const links: Readonly<Record<TransportName, (parts: TransportParts) => ServerLink>> = {
  stdio: stdioLink,
  http: httpLink,
  sse: sseLink,
};

/** Creates the transport that the configuration asks for. */
export function createLink(parts: TransportParts): ServerLink {
  return links[parts.config.transport](parts);
}

const silent = { lastWords: () => "", endSession: async () => {} };

function stdioLink({ config, baseDir, env, logger }: TransportParts): ServerLink {
  const { name, command = "", args = [] } = config;
  const transport = new StdioTransport({ command, args, cwd: baseDir, env }, (line) =>
    logger.info({ server: name }, line),
  );
  return { ...silent, transport, lastWords: () => transport.lastWords };
}

function httpLink({ config }: TransportParts): ServerLink {
  const transport = new StreamableHTTPClientTransport(new URL(config.url ?? ""), requestOptions(config));
  if (config.terminate_on_close === false) return { ...silent, transport };
  return { ...silent, transport, endSession: () => transport.terminateSession() };
}

function sseLink({ config }: TransportParts): ServerLink {
  return { ...silent, transport: new SSEClientTransport(new URL(config.url ?? ""), requestOptions(config)) };
}

function requestOptions({ headers = {} }: McpToolConfig) {
  return { requestInit: { headers } };
}
