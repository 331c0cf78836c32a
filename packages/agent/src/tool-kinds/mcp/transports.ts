import type { Environment } from "@bridle/project";
import type { Logger, TrustedFolder } from "@bridle/protocol";
import {
  type FetchLike,
  SSEClientTransport,
  StreamableHTTPClientTransport,
  type Transport,
} from "@modelcontextprotocol/client";
import type { McpToolConfig } from "./mcp-config.ts";
import { StdioTransport } from "./stdio-transport.ts";

export interface TransportParts {
  readonly config: McpToolConfig;
  /** The server's working directory. */
  readonly baseDir: string;
  /** The server's variables. */
  readonly env: Environment;
  readonly logger: Logger;
  /** The proof that the server may start. */
  readonly trusted: TrustedFolder;
  /** Whether a script plays the model. Redirects, which can lead to another machine, are errors then. */
  readonly isRehearsed?: boolean | undefined;
}

/** A transport for one connection. */
export interface ServerLink {
  readonly transport: Transport;
  /** How the server ended, if known. */
  lastWords(): string;
  /** Tells the server that the session has ended, before the transport is closed. */
  endSession(): Promise<void>;
}

type TransportName = McpToolConfig["transport"];

const links: Readonly<Record<TransportName, (parts: TransportParts) => ServerLink>> = {
  stdio: stdioLink,
  http: httpLink,
  sse: sseLink,
};

/** Creates the transport that the configuration sets. */
export function createLink(parts: TransportParts): ServerLink {
  return links[parts.config.transport](parts);
}

const silent = { lastWords: () => "", endSession: async () => {} };

function stdioLink({ config, baseDir, env, logger, trusted }: TransportParts): ServerLink {
  const { name, command = "", args = [] } = config;
  const transport = new StdioTransport(trusted, { command, args, cwd: baseDir, env }, (line) =>
    logger.info({ server: name }, line),
  );
  return { ...silent, transport, lastWords: () => transport.lastWords };
}

function httpLink({ config, isRehearsed }: TransportParts): ServerLink {
  const transport = new StreamableHTTPClientTransport(new URL(config.url ?? ""), requestOptions(config, isRehearsed));
  if (config.terminate_on_close === false) return { ...silent, transport };
  return { ...silent, transport, endSession: () => transport.terminateSession() };
}

function sseLink({ config, isRehearsed }: TransportParts): ServerLink {
  return {
    ...silent,
    transport: new SSEClientTransport(new URL(config.url ?? ""), requestOptions(config, isRehearsed)),
  };
}

function requestOptions({ headers = {} }: McpToolConfig, isRehearsed = false) {
  const redirectPolicy = "same-origin"; // the headers may contain a credential for this origin only
  return { requestInit: { headers }, redirectPolicy, ...(isRehearsed && { fetch: fetchHere }) } as const;
}

const fetchHere: FetchLike = (url, init) => fetch(url, { ...init, redirect: "error" });
