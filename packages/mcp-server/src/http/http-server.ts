import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { ConfigError, type Logger, systemErrorCode } from "@bridle/protocol";
import type { Caller } from "../caller.ts";
import type { ServerLimits } from "../limits.ts";
import { findCaller, type McpToken } from "../tokens/token.ts";
import { type AllowedNames, explainRefusedName, isLoopbackAddress } from "./check-names.ts";
import { ClientConnections } from "./client-connections.ts";
import type { McpDispatcher } from "./mcp-dispatcher.ts";
import { readLimitedBody, refuse, sendResponse, toWebRequest } from "./web-messages.ts";

export interface HttpServerOptions extends AllowedNames {
  /** The address to listen on. An address that other machines can reach requires names in `hosts`. */
  readonly host: string;
  /** The port to listen on; 0 for a free port. */
  readonly port: number;
  readonly tokens: readonly McpToken[];
  readonly dispatcher: McpDispatcher;
  readonly limits: ServerLimits;
  readonly logger: Logger;
}

const path = "/mcp";

/** Serves the tools over HTTP. Every request needs a token. */
export class McpHttpServer {
  readonly #options: HttpServerOptions;
  readonly #server: Server;
  readonly #connections: ClientConnections;

  private constructor(options: HttpServerOptions) {
    const { limits } = options;
    this.#options = options;
    this.#server = createServer(
      { requestTimeout: limits.requestMs, headersTimeout: limits.requestMs, connectionsCheckingInterval: 1000 },
      (request, response) => void this.#handle(request, response),
    );
    this.#connections = new ClientConnections(limits, options.tokens.length);
    this.#connections.watch(this.#server);
  }

  /** Throws ConfigError if the address is in use, or if other machines can reach it and `hosts` is empty. */
  static async listen(options: HttpServerOptions): Promise<McpHttpServer> {
    const { host, port, hosts } = options;
    if (!isLoopbackAddress(`http://${bracketed(host)}`) && hosts.length === 0) {
      const message = `Other machines reach the address ${host}. Name the host that clients send with --allow-host, or leave --host out.`;
      throw new ConfigError(message);
    }
    const server = new McpHttpServer(options);
    await server.#listen(host, port);
    return server;
  }

  /** The address for clients on this machine. */
  get url(): string {
    const address = this.#server.address();
    const port = typeof address === "object" ? address?.port : undefined;
    return `http://${bracketed(this.#options.host)}:${port}${path}`;
  }

  /** Ends every connection and session. */
  async close(): Promise<void> {
    const closed = new Promise((resolve) => this.#server.close(resolve));
    await this.#options.dispatcher.close();
    this.#server.closeAllConnections();
    await closed;
  }

  #listen(host: string, port: number): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#server.once("error", (cause) => {
        const reason = systemErrorCode(cause) === "EADDRINUSE" ? "another program uses it" : systemErrorCode(cause);
        reject(new ConfigError(`The address ${host}:${port} cannot be used: ${reason}. Choose another with --port.`));
      });
      this.#server.listen(port, host, resolve);
    });
  }

  async #handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    try {
      await this.#answer(request, response);
    } catch (error) {
      this.#options.logger.warn({ error }, "a request of an MCP client failed");
      if (response.headersSent) response.destroy();
      else refuse(response, 500, "The request failed. The log of the server has the reason.");
    }
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { tokens, limits } = this.#options;
    const refused = explainRefusedName(request.headers, this.#options);
    if (refused !== undefined) return refuse(response, 403, refused);
    if (request.url?.split("?", 1)[0] !== path) {
      return refuse(response, 404, `There is nothing here. The address of the server ends with ${path}.`);
    }
    const caller = findCaller(request.headers.authorization, tokens);
    if (!caller) {
      const message = "The request has no valid token. Send the header Authorization: Bearer TOKEN.";
      return refuse(response, 401, message, { "www-authenticate": 'Bearer realm="bridle"' });
    }
    if (!this.#connections.admit(request.socket, caller.name)) {
      const message = `The token ${caller.name} has too many connections open. Close some, and try again.`;
      return refuse(response, 503, message, { connection: "close" });
    }
    const body = await readLimitedBody(request, limits.messageBytes).catch(() => null); // the client disconnected, or was too slow
    if (body === null) return void response.destroy();
    if (body === undefined) return refuse(response, 413, `A message may have ${limits.messageBytes} bytes.`);
    await this.#dispatch(caller, request, body, response);
  }

  async #dispatch(caller: Caller, from: IncomingMessage, body: Buffer, response: ServerResponse): Promise<void> {
    const gone = new AbortController();
    response.once("close", () => gone.abort());
    const request = toWebRequest(from, body, gone.signal);
    const { response: answer, done } = await this.#options.dispatcher.answer(caller, request, body);
    try {
      await sendResponse(answer, response);
    } finally {
      await done();
    }
  }
}

function bracketed(host: string): string {
  return host.includes(":") ? `[${host}]` : host;
}
