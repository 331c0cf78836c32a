/**
 * Relays requests from the host to a base URL. The host itself would follow a redirect to any machine, and send its credential there, too
 * (observed on 2.1.330). Its requests therefore go to this loopback relay, which passes them on and follows no redirects.
 */
import { randomBytes } from "node:crypto";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { buffer } from "node:stream/consumers";
import { pipeline } from "node:stream/promises";
import type { ClaudeEnvironment } from "../options.ts";
import { answerRedirect, answerUnreachable } from "./answers.ts";
import { createUpstream, type Upstream } from "./upstream.ts";

export class Relay {
  readonly #baseUrl: string;
  readonly #upstream: Upstream;
  /** Part of the relay's address, so that no other user of this machine can send requests through the relay. */
  readonly #token = randomBytes(16).toString("hex");
  readonly #server: Server;
  #started: Promise<string> | undefined;

  /** Creates a relay. `environment` contains the machine's proxies and certificates. Throws ConfigError for an invalid address. */
  constructor(baseUrl: string, environment: ClaudeEnvironment) {
    this.#baseUrl = baseUrl.replace(/\/+$/, "");
    this.#upstream = createUpstream(baseUrl, environment);
    this.#server = createServer((request, response) => void this.#forward(request, response));
    this.#server.keepAliveTimeout = 0; // the host may reuse a connection at any time
    this.#server.on("connection", (socket) => socket.unref()); // the connection of an idle process must not keep this program alive
  }

  /** Returns the base URL for the host. The relay starts with the first call. */
  address(): Promise<string> {
    this.#started ??= this.#start();
    return this.#started;
  }

  async close(): Promise<void> {
    this.#upstream.close();
    if (this.#started === undefined) return;
    await this.#started;
    this.#server.closeAllConnections();
    await new Promise<void>((resolve) => this.#server.close(() => resolve()));
  }

  async #start(): Promise<string> {
    await new Promise<void>((resolve, reject) => {
      this.#server.once("error", reject).listen(0, "127.0.0.1", resolve);
    });
    this.#server.unref();
    const { port } = this.#server.address() as AddressInfo;
    return `http://127.0.0.1:${port}/${this.#token}`;
  }

  /** Passes a request on. Never rejects. If a connection ends early on one side, it ends early on the other. */
  async #forward(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const prefix = `/${this.#token}/`;
    if (!request.url?.startsWith(prefix)) return void response.writeHead(404).end();
    const gone = new AbortController();
    response.once("close", () => gone.abort());
    try {
      const url = `${this.#baseUrl}/${request.url.slice(prefix.length)}`;
      const body = await buffer(request);
      const answer = await this.#upstream.send({ url, request, body, signal: gone.signal });
      const { statusCode = 502, statusMessage } = answer;
      if (statusCode >= 300 && statusCode < 400) {
        answer.destroy();
        return answerRedirect(response, answer.headers.location, url);
      }
      response.writeHead(statusCode, statusMessage, this.#upstream.headersOf(answer));
      response.flushHeaders();
      await pipeline(answer, response);
    } catch (error) {
      if (response.headersSent || gone.signal.aborted) response.destroy();
      else answerUnreachable(response, error);
    }
  }
}
