import type { IncomingMessage, Server, ServerResponse } from "node:http";
import { getRequestListener } from "@hono/node-server";
import { type AppOptions, createServerApp, type ServerApp } from "./create-app.ts";
import { checkHead, type HeadRules, isPreflight, pathOf } from "./guards/check-head.ts";
import { crossOriginHeaders, preflightHeaders } from "./guards/cross-origin.ts";
import { readSeen, type Seen } from "./guards/forwarded.ts";
import type { OwnNames } from "./guards/own-names.ts";
import { oneValue, type RequestHead, readHead } from "./guards/request-head.ts";
import { findPageFile, type PageFile, pageReply, type WebPage, wantsPage } from "./page.ts";
import { RequestProblem } from "./problem.ts";
import { toFormattedProblem, writeProblem } from "./reply/send-problem.ts";
import { RequestSignals } from "./request-signals.ts";
import type { RequestSender } from "./route.ts";
import type { AccessToken } from "./tokens/access-token.ts";
import { authenticate } from "./tokens/authenticate.ts";
import { WrongTokens } from "./tokens/wrong-tokens.ts";
import { UserShares } from "./user-shares.ts";

export interface ListenerOptions extends AppOptions {
  readonly tokens: readonly AccessToken[];
  readonly page: WebPage;
  /** Whether to reject all changes, regardless of the role of the token. */
  readonly isReadOnly: boolean;
  readonly now: () => number;
}

interface Exchange {
  readonly incoming: IncomingMessage;
  readonly outgoing: ServerResponse;
}

/** Handles the requests of a server: first the guards, then the token, then the application. */
export class HttpListener {
  readonly #options: ListenerOptions;
  readonly #app: ServerApp;
  readonly #wrong: WrongTokens;
  readonly #signals = new RequestSignals();
  readonly #shared: UserShares;

  constructor(options: ListenerOptions) {
    this.#options = options;
    this.#shared = new UserShares(options.limits, options.tokens.length);
    this.#app = createServerApp(options, this.#shared);
    this.#wrong = new WrongTokens(options.limits.wrongTokens, options.now);
  }

  /** Counts the connections of a server. */
  watch(server: Server): void {
    this.#shared.connections.watch(server);
  }

  /** Signals to every handler that the server is shutting down. */
  end(): void {
    this.#signals.end();
  }

  /** Handles one request. Never throws. */
  async handle(incoming: IncomingMessage, outgoing: ServerResponse, names: OwnNames): Promise<void> {
    const head = readHead(incoming);
    try {
      const rules: HeadRules = { ...names, isPage: () => this.#fileFor(head) !== undefined };
      const problem = checkHead(head, rules);
      if (problem) throw problem;
      for (const [name, value] of Object.entries(crossOriginHeaders(head, names))) outgoing.setHeader(name, value);
      if (isPreflight(head, names)) return void outgoing.writeHead(204, preflightHeaders(head, names)).end();
      await this.#answer(head, { incoming, outgoing }, readSeen(head, names));
    } catch (error) {
      this.#refuse(error, head, { incoming, outgoing });
    }
  }

  async #answer(head: RequestHead, { incoming, outgoing }: Exchange, { address, scheme, host }: Seen): Promise<void> {
    const found = this.#fileFor(head);
    if (found) {
      outgoing.setTimeout(this.#options.limits.stalledMs, () => outgoing.destroy());
      const { headers, body } = pageReply(found.file, oneValue(head, "accept-encoding") ?? "");
      return void outgoing.writeHead(found.status, headers).end(body);
    }
    const { tokens } = this.#options;
    const caller = this.#callerOf(authenticate(head, { tokens, wrong: this.#wrong, address }), address);
    if (!this.#shared.connections.admit(incoming.socket, caller.name)) throw tooManyConnections(caller);
    const leave = this.#shared.takeRequest(caller.name);
    try {
      await this.#sendToApp(
        { incoming, outgoing },
        { caller, serverUrl: `${scheme}://${host}${this.#options.basePath}`, leave },
      );
    } finally {
      leave();
    }
  }

  async #sendToApp(
    { incoming, outgoing }: Exchange,
    bindings: { readonly caller: RequestSender; readonly serverUrl: string; leave(): void },
  ): Promise<void> {
    incoming.url = this.#withoutBase(incoming.url ?? "/");
    const signals = this.#signals.forResponse(outgoing);
    const toApp = getRequestListener(
      (request, env) => this.#app.fetch(request, { ...env, incoming, outgoing, ...bindings, ...signals }),
      { overrideGlobalObjects: false, autoCleanupIncoming: false },
    );
    await toApp(incoming, outgoing);
  }

  #callerOf({ name, role, namespace }: AccessToken, address: string): RequestSender {
    return { name, role: this.#options.isReadOnly ? "viewer" : role, namespace, address };
  }

  /**
   * Finds the page file for a request. For unknown addresses, it returns the index with status 404, and the page shows that nothing
   * was found.
   */
  #fileFor(head: RequestHead): { readonly file: PageFile; readonly status: 200 | 404 } | undefined {
    const { page, basePath, apis } = this.#options;
    if (head.method !== "GET" || !head.target.startsWith(`${basePath}/`)) return undefined;
    const path = pathOf(head.target).slice(basePath.length);
    const file = findPageFile(page, path);
    if (file) return { file, status: 200 };
    const isOfApi = apis.some(({ base }) => path === base || path.startsWith(`${base}/`));
    const isOpened = page.index && !isOfApi && wantsPage(oneValue(head, "accept") ?? "");
    return isOpened ? { file: page.index, status: 404 } : undefined;
  }

  #withoutBase(target: string): string {
    const { basePath } = this.#options;
    if (target.startsWith(`${basePath}/`)) return target.slice(basePath.length);
    throw new RequestProblem(
      404,
      "no-such-path",
      `There is nothing at this path. Every path of this server begins with ${basePath}/.`,
    );
  }

  #refuse(error: unknown, head: RequestHead, exchange: Exchange): void {
    const isKnown = error instanceof RequestProblem;
    if (!isKnown) this.#options.logger.error({ error }, "a request failed");
    if (exchange.outgoing.headersSent) return void exchange.outgoing.destroy();
    const problem = isKnown
      ? error
      : new RequestProblem(500, "internal", "The request failed for a reason that is in the log of the server.");
    const path = pathOf(head.target);
    const api = this.#options.apis.find(({ base }) => path.startsWith(`${this.#options.basePath}${base}/`));
    writeProblem(toFormattedProblem(problem, path, api), exchange);
  }
}

function tooManyConnections({ name }: RequestSender): RequestProblem {
  const message = `The token ${name} has too many connections open, and the rest are reserved for other users. Close some, and try again.`;
  const headers = { "retry-after": "1", connection: "close" };
  return new RequestProblem(503, "too-many-connections", message, { retryAfterMs: 1000 }, headers);
}
