import { forkSession, readWithoutDeltas } from "@bridle/core";
import { buildTranscript, type EventLog, omitUndefined } from "@bridle/protocol";
import { UsageError } from "../context/usage-error.ts";
import { requireSession } from "../events/find-session.ts";

export interface ForkExistingOptions {
  /** The number of the last response that the fork contains. Default: the newest. */
  readonly atStep?: number | undefined;
  /** The id of the new session. Default: a random one. */
  readonly as?: string | undefined;
}

/**
 * Starts another session with the history of an existing one, and returns its id.
 *
 * @throws UsageError if the step does not exist, or if the new id is taken.
 */
export async function forkExistingSession(
  eventLog: EventLog,
  id: string | undefined,
  { atStep, as }: ForkExistingOptions,
): Promise<string> {
  const from = await requireSession(eventLog, id);
  if (atStep !== undefined) await requireStep(eventLog, from, atStep);
  if (as !== undefined) await requireFreeId(eventLog, as);
  return forkSession(eventLog, { from, ...omitUndefined({ atStep, id: as }) });
}

async function requireStep(eventLog: EventLog, id: string, step: number): Promise<void> {
  const { steps } = buildTranscript(await readWithoutDeltas(eventLog, id));
  if (step <= steps) return;
  const known = steps === 0 ? "no responses yet" : `${steps} ${steps === 1 ? "response" : "responses"}`;
  throw new UsageError(
    `--at-step is ${step}, but the session has ${known}. "bridle sessions show ${id}" shows their numbers.`,
  );
}

async function requireFreeId(eventLog: EventLog, id: string): Promise<void> {
  if ((await eventLog.read({ sessionId: id, limit: 1 })).length === 0) return;
  throw new UsageError(`The session "${id}" exists already. Choose another id after --as.`);
}
