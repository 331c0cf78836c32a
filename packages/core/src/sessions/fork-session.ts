import { buildTranscript, type EventLog, InvalidRequestError, transcriptToHistory } from "@bridle/protocol";
import { newRunId, newSessionId } from "../system/ids.ts";
import { checkSessionId } from "./session-id.ts";
import { upToStep } from "./up-to-step.ts";
import { readWithoutDeltas } from "./without-deltas.ts";

/** The session to fork, and the step. */
export interface ForkOptions {
  /** The id of the session to fork. */
  from: string;
  /** The last model response in the new session, counted from 1. Default: the newest. */
  atStep?: number;
  /** The id of the new session. Default: a generated id. */
  id?: string;
}

/**
 * Forks a session in its event log, and returns the id of the new session. No runtime is needed: the new session contains
 * only the history, which is on disk when this resolves, and any process can continue it. Its totals begin at zero, and
 * answers that are remembered for the old session do not apply to it.
 *
 * @throws InvalidRequestError if the session is not in the log, has no such response, or the new id is used or invalid.
 * @throws StoreBusyError if another process begins a session with the new id.
 *
 * @example
 * const branch = await forkSession(eventLog, { from: "trip", atStep: 3 });
 * const session = await runtime.openSession({ id: branch, tools: [], stepBudget: 1 });
 */
export async function forkSession(
  eventLog: EventLog,
  { from, atStep, id = newSessionId() }: ForkOptions,
): Promise<string> {
  const to = checkSessionId(id);
  const events = await readWithoutDeltas(eventLog, from);
  if (events.length === 0) throw new InvalidRequestError(`No session "${from}" is on record.`);
  const whole = buildTranscript(events);
  const messages = transcriptToHistory(atStep === undefined ? whole : upToStep(whole, atStep));
  const writer = await eventLog.openWriter({ sessionId: to });
  try {
    if ((await eventLog.read({ sessionId: to, limit: 1 })).length > 0) {
      throw new InvalidRequestError(`The session "${to}" is on record already. Choose another id.`);
    }
    // every event needs a run; this run has no other event
    writer.append(newRunId(), { type: "history.replaced", reason: "forked", from, messages });
    await writer.durable();
  } finally {
    await writer.close();
  }
  return to;
}
