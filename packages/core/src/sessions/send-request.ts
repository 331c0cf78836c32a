/** Turns a session's `send` into a run. */
import {
  type AgentSession,
  type EventDraft,
  type LoopRequest,
  omitUndefined,
  type RunEvent,
  type SendOptions,
  type SessionRequest,
} from "@bridle/protocol";

export type SendPrompt = Parameters<AgentSession["send"]>[0];

/** Creates the request of one run: the session's request with the options of the call. Options that are `undefined` do not count. */
export function toLoopRequest<T>(
  request: SessionRequest<T>,
  prompt: SendPrompt,
  options: Omit<SendOptions, "whenBusy" | "runId">,
): LoopRequest<T> {
  const { id: _id, compactAt: _compactAt, ...shared } = request;
  const labels = { ...shared.labels, ...options.labels };
  const environment = { ...shared.environment, ...options.environment };
  return {
    ...shared,
    ...omitUndefined(options),
    prompt,
    ...(Object.keys(labels).length > 0 && { labels }),
    ...(Object.keys(environment).length > 0 && { environment }),
  };
}

interface NextEvents {
  readonly sessionId: string;
  /** The `seq` of the newest event. */
  readonly after: number;
  readonly time: number;
}

/** Turns drafts into the events that they will be once the next run has logged them. */
export function expectedEvents(drafts: readonly EventDraft[], { sessionId, after, time }: NextEvents): RunEvent[] {
  return drafts.map((draft, index) => ({ ...draft, time, runId: "", sessionId, seq: after + 1 + index }));
}
