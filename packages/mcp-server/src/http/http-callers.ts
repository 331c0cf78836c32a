import { createMcpHandler, isInitializeRequest, type McpHttpHandler } from "@modelcontextprotocol/server";
import type { Caller } from "../caller.ts";
import type { ServerLimits } from "../limits.ts";
import type { ClientConnection } from "../protocol/client-connection.ts";
import { HttpSession } from "./http-session.ts";
import { Shares } from "./shares.ts";

export interface HttpCallersOptions {
  readonly limits: ServerLimits;
  /** The number of users that share the sessions. */
  readonly users: number;
  /** Opens a connection with the caller's tools. */
  connect(caller: Caller): Promise<ClientConnection>;
}

interface Refusal {
  readonly status: number;
  readonly message: string;
}

interface Stateless {
  readonly connection: ClientConnection;
  readonly handler: McpHttpHandler;
}

type FoundSession =
  | { readonly session: HttpSession; readonly refusal?: undefined }
  | { readonly session?: undefined; readonly refusal: Refusal };

/** The sessions of all tokens. Clients of the revision 2026-07-28, which has no sessions, share one connection per token. */
export class HttpCallers {
  readonly #options: HttpCallersOptions;
  readonly #sessions = new Map<string, HttpSession>();
  readonly #stateless = new Map<string, Promise<Stateless>>();
  readonly #shares: Shares;
  #isClosed = false;

  constructor(options: HttpCallersOptions) {
    this.#options = options;
    this.#shares = new Shares(options.limits.sessions, options.users);
  }

  get sessions(): number {
    return this.#sessions.size;
  }

  /** Finds or begins the session of a request. The sessions of other tokens are not found. */
  async findSession(caller: Caller, request: Request, body: Buffer): Promise<FoundSession> {
    const id = request.headers.get("mcp-session-id");
    if (id === null) return isBeginning(body) ? this.#open(caller) : { refusal: noSession };
    const session = this.#sessions.get(id);
    return session?.caller.name === caller.name ? { session } : { refusal: unknownSession };
  }

  async answerModern(caller: Caller, request: Request): Promise<Response> {
    if (!this.#stateless.has(caller.name)) this.#stateless.set(caller.name, this.#openStateless(caller));
    const opened = this.#stateless.get(caller.name);
    opened?.catch(() => this.#stateless.delete(caller.name));
    return (await (opened as Promise<Stateless>)).handler.fetch(request);
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    const stateless = await Promise.allSettled(this.#stateless.values());
    const opened = stateless.flatMap((each) => (each.status === "fulfilled" ? [each.value] : []));
    await Promise.all([
      ...[...this.#sessions.values()].map((session) => session.close()),
      ...opened.map(({ connection }) => connection.close()),
      ...opened.map(({ handler }) => handler.close()),
    ]);
  }

  async #open(caller: Caller): Promise<FoundSession> {
    const { limits, connect } = this.#options;
    if (this.#isClosed) return { refusal: closed };
    const user = caller.name;
    if (!this.#shares.take(user)) return { refusal: tooMany(this.#shares.heldBy(user)) };
    try {
      const session = await HttpSession.open({
        caller,
        connection: await connect(caller),
        idleMs: limits.sessionIdleMs,
        messageBytes: limits.messageBytes,
        kept: { events: limits.keptEvents, bytes: limits.keptBytes },
        onClosed: ({ id }) => this.#forget(id, user),
      });
      this.#sessions.set(session.id, session);
      return { session };
    } catch (error) {
      this.#shares.leave(user);
      throw error;
    }
  }

  #forget(id: string, user: string): void {
    if (this.#sessions.delete(id)) this.#shares.leave(user);
  }

  async #openStateless(caller: Caller): Promise<Stateless> {
    const { limits, connect } = this.#options;
    const connection = await connect(caller);
    const handler = createMcpHandler(() => connection.createServer(), {
      legacy: "reject",
      maxRequestBodySize: limits.messageBytes,
      maxSubscriptions: limits.sessions,
    });
    return { connection, handler };
  }
}

const noSession: Refusal = { status: 400, message: "The request names no session. Begin one with initialize." };
const unknownSession: Refusal = { status: 404, message: "There is no such session. Begin one with initialize." };
const closed: Refusal = { status: 503, message: "The server is closing." };

function tooMany(sessions: number): Refusal {
  return { status: 503, message: `${sessions} sessions are open already. Close one, or wait until one is idle.` };
}

function isBeginning(body: Buffer): boolean {
  try {
    const message: unknown = JSON.parse(body.toString());
    return (Array.isArray(message) ? message : [message]).some(isInitializeRequest);
  } catch {
    return false;
  }
}
