import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { createModelPlayer, type RehearsedModel } from "../engine/model-player.ts";
import { createPlayer, type Player } from "../engine/play.ts";
import type { Script } from "../script/script.ts";
import { listen, shut } from "./listen.ts";
import { receive } from "./receive.ts";
import { type RecordedRequest, type RehearsalFailure, RequestLog } from "./request-log.ts";
import { type RehearsalContext, respond } from "./respond.ts";

/** What answers requests: a script, or a model that is a function. */
export type RehearsalOptions = (
  | { readonly script: Script; readonly model?: undefined }
  | { readonly model: RehearsedModel; readonly script?: undefined }
) & {
  /** Default: a free port. */
  readonly port?: number | undefined;
};

/** A model server on this machine that answers from a script or calls a function as the model. */
export interface Rehearsal {
  /** `http://127.0.0.1:<port>`, for `ANTHROPIC_BASE_URL` and similar settings. */
  readonly url: string;
  /** Every request so far, oldest first. */
  readonly requests: readonly RecordedRequest[];
  /** Every request that was not valid or got no answer from the script. Empty if all requests were answered. */
  readonly failures: readonly RehearsalFailure[];
  /**
   * Returns the oldest matching request that no earlier call has returned. If there is none, waits for one. Rejects if the rehearsal is
   * closed first.
   */
  nextRequest(predicate?: (request: RecordedRequest) => boolean): Promise<RecordedRequest>;
  /** Whether every request so far has a complete answer without an error, so that a client can start anew. */
  readonly isUndisturbed: boolean;
  /** Starts again at the same address: the script begins at its first step, and `requests` and `failures` are empty. */
  reset(): void;
  /** Closes every connection, even during an answer. */
  close(): Promise<void>;
}

/**
 * Starts a model server that plays a script, or calls your function for each answer. It listens only on 127.0.0.1.
 *
 * @example
 * const rehearsal = await startRehearsal({ script: await loadScript("refund.yaml") });
 * // ANTHROPIC_BASE_URL=rehearsal.url …
 * await rehearsal.close();
 * @example
 * const rehearsal = await startRehearsal({ model: ({ user }) => ({ say: user.toUpperCase() }) });
 */
export async function startRehearsal({ port = 0, ...answering }: RehearsalOptions): Promise<Rehearsal> {
  const server = new RehearsalServer(answering);
  const url = `http://127.0.0.1:${await server.listen(port)}`;
  return {
    url,
    requests: server.log.requests,
    failures: server.log.failures,
    nextRequest: (predicate) => server.log.next(predicate),
    get isUndisturbed() {
      return server.isUndisturbed;
    },
    reset: () => server.reset(),
    close: () => server.close(),
  };
}

class RehearsalServer {
  readonly log = new RequestLog();
  readonly #createPlayer: () => Player;
  readonly #server: Server;
  #context: RehearsalContext;
  #served = 0;
  #openRequests = 0;
  #wasDisturbed = false;

  constructor({ script, model }: RehearsalOptions) {
    this.#createPlayer = () => (model === undefined ? createPlayer(script) : createModelPlayer(model));
    this.#context = { player: this.#createPlayer(), log: this.log, models: script?.models, memory: new Map() };
    this.#server = createServer((incoming, response) => this.#accept(incoming, response));
  }

  get isUndisturbed(): boolean {
    return this.#openRequests === 0 && !this.#wasDisturbed;
  }

  listen(port: number): Promise<number> {
    return listen(this.#server, port);
  }

  reset(): void {
    this.#context = { ...this.#context, player: this.#createPlayer(), memory: new Map() };
    this.log.reset();
    this.#served = 0;
    this.#wasDisturbed = false;
  }

  async close(): Promise<void> {
    this.log.close();
    await shut(this.#server);
  }

  #accept(incoming: IncomingMessage, response: ServerResponse): void {
    this.#served += 1;
    this.#openRequests += 1;
    response.on("close", () => {
      this.#openRequests -= 1;
      this.#wasDisturbed ||= !response.writableFinished || response.statusCode >= 400;
    });
    void serve(incoming, response, this.#context, `req_rehearsal_${this.#served}`);
  }
}

async function serve(
  incoming: IncomingMessage,
  response: ServerResponse,
  context: RehearsalContext,
  requestId: string,
): Promise<void> {
  const hangUp = new AbortController();
  try {
    const record = await receive(incoming, performance.now());
    let isDropped = false;
    response.on("close", () => {
      record.closed = !response.writableEnded && !isDropped;
      hangUp.abort();
    });
    const drop = () => {
      isDropped = true;
      response.destroy();
    };
    context.log.addRequest(record);
    await respond({ record, response, requestId, hungUp: hangUp.signal, drop }, context);
  } catch (error) {
    if (!hangUp.signal.aborted) response.destroy(error instanceof Error ? error : undefined);
  }
}
