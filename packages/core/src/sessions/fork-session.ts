import { buildTranscript, type EventLog, InvalidRequestError, transcriptToHistory } from "@bridle/protocol";
import { newRunId, newSessionId } from "../system/ids.ts";
import { checkSessionId } from "./session-id.ts";
import { upToStep } from "./up-to-step.ts";
import { withoutDeltas } from "./without-deltas.ts";

/** Which session is forked, and where. */
export interface ForkOptions {
  /** Of the session that is forked. */
  from: string;
  /** The last response of the model that the new session goes on from, counted from 1. Default: the newest. */
  atStep?: number;
  /** Of the new session. Made up by default. */
  id?: string;
}

/**
 * Forks a session on its record, and returns the new one's id. No runtime is needed: the new session holds the history
 * alone, which is on disk when this returns, and any process goes on with it. Its totals begin at nothing, and answers
 * that are remembered for the old session do not hold in it.
 *
 * Throws InvalidRequestError for a session that is not on record, a response that it does not have, and an id that is
 * taken or cannot be one; StoreBusyError while somebody begins a session of the new id; StoreError.
 *
 * @example
 * const branch = forkSession(record, { from: "trip", atStep: 3 });
 * const session = await runtime.openSession({ id: branch, tools: [], stepBudget: 1 });
 */
export function forkSession(record: EventLog, { from, atStep, id = newSessionId() }: ForkOptions): string {
  const to = checkSessionId(id);
  const events = withoutDeltas(record, from);
  if (events.length === 0) throw new InvalidRequestError(`No session "${from}" is on record.`);
  const whole = buildTranscript(events);
  const messages = transcriptToHistory(atStep === undefined ? whole : upToStep(whole, atStep));
  const release = record.claim?.(to);
  try {
    if (record.events({ sessionId: to, limit: 1 }).length > 0) {
      throw new InvalidRequestError(`The session "${to}" is on record already. Choose another id.`);
    }
    const place = { runId: newRunId(), sessionId: to }; // an event is always of a run; this one's has nothing else
    record.append(place, { type: "history.replaced", reason: "forked", from, messages }, { durable: true });
  } finally {
    release?.();
  }
  return to;
}
