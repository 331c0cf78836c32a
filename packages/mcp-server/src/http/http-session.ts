import { randomUUID } from "node:crypto";
import { startTimer } from "@bridle/core";
import { WebStandardStreamableHTTPServerTransport } from "@modelcontextprotocol/server";
import type { Caller } from "../caller.ts";
import type { ClientConnection } from "../protocol/client-connection.ts";
import { SentEvents } from "./sent-events.ts";

export interface HttpSessionOptions {
  readonly caller: Caller;
  readonly connection: ClientConnection;
  readonly idleMs: number;
  readonly messageBytes: number;
  /** The limits of the messages that are kept for clients that reconnect. */
  readonly kept: { readonly events: number; readonly bytes: number };
  /** Called once, when the session has ended. */
  onClosed(session: HttpSession): void;
}

/** How many milliseconds a client with a broken connection should wait before it reconnects. */
const retryAfter = 1000;

function forgotten(): Response {
  const message = "The event that Last-Event-ID names is not known any more. Make the call again.";
  return Response.json({ jsonrpc: "2.0", error: { code: -32_000, message }, id: null }, { status: 400 });
}

/** A session of a client of the revisions up to 2025-11-25: from `initialize` to `DELETE` or until the session is idle for too long. */
export class HttpSession {
  readonly id = randomUUID();
  readonly caller: Caller;
  readonly #options: HttpSessionOptions;
  readonly #sent: SentEvents;
  readonly #transport: WebStandardStreamableHTTPServerTransport;
  #open = 0;
  #closing: Promise<void> | undefined;
  #stopWaiting: () => void = () => {};

  private constructor(options: HttpSessionOptions) {
    this.caller = options.caller;
    this.#options = options;
    this.#sent = new SentEvents(options.kept);
    this.#transport = new WebStandardStreamableHTTPServerTransport({
      sessionIdGenerator: () => this.id,
      maxRequestBodySize: options.messageBytes,
      eventStore: this.#sent,
      retryInterval: retryAfter,
      onsessionclosed: () => void this.close(),
    });
  }

  static async open(options: HttpSessionOptions): Promise<HttpSession> {
    const session = new HttpSession(options);
    await options.connection.createServer().connect(session.#transport);
    return session;
  }

  /** Whether the client was initialized. If not, the session cannot be used. */
  get isInitialized(): boolean {
    return this.#transport.sessionId !== undefined;
  }

  /** Answers a request. Call the returned `done` when the response is sent. Until then, the session is not idle. */
  async answer(request: Request): Promise<{ readonly response: Response; done(): void }> {
    this.#stopWaiting();
    this.#open += 1;
    const done = () => {
      this.#open -= 1;
      this.#wait();
    };
    try {
      const lastEvent = request.headers.get("last-event-id");
      const isForgotten = lastEvent !== null && !this.#sent.has(lastEvent);
      return { response: isForgotten ? forgotten() : await this.#transport.handleRequest(request), done };
    } catch (error) {
      done();
      throw error;
    }
  }

  /** Ends open streams and aborts open calls. */
  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  #wait(): void {
    this.#stopWaiting();
    if (this.#open > 0 || this.#closing) return;
    this.#stopWaiting = startTimer(this.#options.idleMs, () => void this.close());
  }

  async #close(): Promise<void> {
    this.#stopWaiting();
    this.#options.onClosed(this);
    await this.#options.connection.close();
    await this.#transport.close();
  }
}
