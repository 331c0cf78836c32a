import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { createPlayer } from "../engine/play.ts";
import type { Script } from "../script/script.ts";
import { listen, shut } from "./listen.ts";
import { receive } from "./receive.ts";
import { createRecorder, type RecordedRequest, type RehearsalFailure } from "./record.ts";
import { respond, type Stage } from "./respond.ts";

export interface RehearsalOptions {
  readonly script: Script;
  /** A free one is taken when left out. */
  readonly port?: number;
}

/** A model server on loopback that answers from a script. */
export interface Rehearsal {
  /** `http://127.0.0.1:<port>`, for `ANTHROPIC_BASE_URL` and its like. */
  readonly url: string;
  /** Every request so far, oldest first. */
  readonly requests: readonly RecordedRequest[];
  /** Every request that the script had no answer to, or that was not valid. Empty when all went as scripted. */
  readonly failures: readonly RehearsalFailure[];
  /**
   * The oldest request that fits and that no earlier call has handed out; waits for one if there is none yet.
   * Rejects when the rehearsal is closed first.
   */
  nextRequest(predicate?: (request: RecordedRequest) => boolean): Promise<RecordedRequest>;
  /**
   * True while every request so far has been answered, whole and without an error: nothing is on its way any more, and
   * nothing happened that a client might remember.
   */
  readonly isUndisturbed: boolean;
  /** Forgets all that came before: the script, its errors and the count of requests begin anew, at the same address. */
  reset(): void;
  /** Ends every connection, open answers included. */
  close(): Promise<void>;
}

/**
 * Starts a model server that plays a script. It listens on 127.0.0.1 only.
 *
 * @example
 * const rehearsal = await startRehearsal({ script: await loadScript("refund.yaml") });
 * // ANTHROPIC_BASE_URL=rehearsal.url …
 * await rehearsal.close();
 */
export async function startRehearsal({ script, port = 0 }: RehearsalOptions): Promise<Rehearsal> {
  const recorder = createRecorder();
  let stage: Stage = { player: createPlayer(script), recorder, models: script.models };
  let served = 0;
  let open = 0;
  let wasDisturbed = false;
  const server = createServer((incoming, response) => {
    served += 1;
    open += 1;
    response.on("close", () => {
      open -= 1;
      wasDisturbed ||= !response.writableFinished || response.statusCode >= 400;
    });
    void serve(incoming, response, stage, `req_rehearsal_${served}`);
  });
  return {
    url: `http://127.0.0.1:${await listen(server, port)}`,
    requests: recorder.requests,
    failures: recorder.failures,
    nextRequest: recorder.next,
    get isUndisturbed() {
      return open === 0 && !wasDisturbed;
    },
    reset() {
      stage = { ...stage, player: createPlayer(script) };
      recorder.reset();
      served = 0;
      wasDisturbed = false;
    },
    async close() {
      recorder.close();
      await shut(server);
    },
  };
}

async function serve(incoming: IncomingMessage, response: ServerResponse, stage: Stage, requestId: string) {
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
    stage.recorder.addRequest(record);
    await respond({ record, response, requestId, hungUp: hangUp.signal, drop }, stage);
  } catch (error) {
    if (!hangUp.signal.aborted) response.destroy(error instanceof Error ? error : undefined);
  }
}
