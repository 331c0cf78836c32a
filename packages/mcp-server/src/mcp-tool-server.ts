import type { Readable, Writable } from "node:stream";
import { type AgentRuntime, type Logger, silentLogger } from "@bridle/protocol";
import type { Caller, CallerTools } from "./caller.ts";
import type { ClientBackend } from "./calls/client-backend.ts";
import { HttpCallers } from "./http/http-callers.ts";
import { McpHttpServer } from "./http/http-server.ts";
import { McpDispatcher } from "./http/mcp-dispatcher.ts";
import { defaultServerLimits, type ServerLimits } from "./limits.ts";
import { ClientConnection } from "./protocol/client-connection.ts";
import { serveOnStreams } from "./stdio/serve-stdio.ts";
import type { McpToken } from "./tokens/token.ts";

export interface McpToolServerOptions {
  /** The name and version that clients see. */
  readonly name: string;
  readonly version: string;
  /**
   * The backend that runs the calls of clients, and a runtime on this backend. The runtime's rules apply, and its event log records the
   * calls.
   */
  readonly backend: ClientBackend;
  readonly runtime: AgentRuntime;
  /** Returns the tools of a caller. Called for each session. Rejects with a BridleError. */
  openTools(caller: Caller): Promise<CallerTools>;
  readonly limits?: Partial<ServerLimits> | undefined;
  /** Whether results contain structured data for programs in addition to the text. Default: false, because clients show both to a model. */
  readonly structured?: boolean | undefined;
  readonly logger?: Logger | undefined;
}

export interface ServeHttpOptions {
  /** The address to listen on. Default: 127.0.0.1. */
  readonly host?: string | undefined;
  /** The port. Default: a free port. */
  readonly port?: number | undefined;
  readonly tokens: readonly McpToken[];
  readonly allowedHosts?: readonly string[] | undefined;
  readonly allowedOrigins?: readonly string[] | undefined;
}

/**
 * Serves tools over the Model Context Protocol. A call passes the same checks and rules as a call in a run, and is recorded in the event
 * log. If a rule asks, the call is denied, because nobody can answer.
 */
export class McpToolServer {
  readonly #options: McpToolServerOptions;
  readonly #limits: ServerLimits;
  readonly #logger: Logger;

  constructor(options: McpToolServerOptions) {
    this.#options = options;
    this.#limits = { ...defaultServerLimits, ...options.limits };
    this.#logger = options.logger ?? silentLogger;
  }

  /** Serves one client on two streams. Resolves when the input has ended, or the signal is aborted. */
  async serveStdio(
    caller: Pick<Caller, "writes" | "scope">,
    { input, output, signal }: { readonly input: Readable; readonly output: Writable; readonly signal: AbortSignal },
  ): Promise<void> {
    const connection = await this.#connect({ ...caller, name: "stdio", transport: "stdio" });
    await serveOnStreams(connection, {
      input,
      output,
      signal,
      messageBytes: this.#limits.messageBytes,
      onError: (error) => this.#logger.debug({ error }, "a message of an MCP client was not understood"),
    });
  }

  /** Listens for clients with a token. Throws ConfigError. Call `close()` of the result when done. */
  async serveHttp(options: ServeHttpOptions): Promise<McpHttpServer> {
    const { host = "127.0.0.1", port = 0, tokens, allowedHosts = [], allowedOrigins = [] } = options;
    const limits = this.#limits;
    return McpHttpServer.listen({
      host,
      port,
      tokens,
      dispatcher: this.openDispatcher(tokens.length),
      limits,
      logger: this.#logger,
      hosts: allowedHosts,
      origins: allowedOrigins,
    });
  }

  /** Answers requests that another server has received and checked. All users share the limits. Call `close()` of the result when done. */
  openDispatcher(users: number): McpDispatcher {
    const limits = this.#limits;
    return new McpDispatcher(new HttpCallers({ limits, users, connect: (caller) => this.#connect(caller) }), limits);
  }

  async #connect(caller: Caller): Promise<ClientConnection> {
    const { name, version, runtime, backend, structured = false, openTools } = this.#options;
    return new ClientConnection(caller, await openTools(caller), {
      name,
      version,
      runtime,
      backend,
      limits: this.#limits,
      hasStructured: structured,
      logger: this.#logger,
    });
  }
}
