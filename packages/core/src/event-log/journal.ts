import {
  type AppendOptions,
  BackendCrashError,
  type EventDraft,
  type EventLog,
  getErrorMessage,
  isBridleError,
  type Logger,
  type RunEvent,
  type RunScope,
} from "@bridle/protocol";
import { createEventStream } from "./event-stream.ts";

/**
 * Writes the events of one run: first to the event log, then to its readers. Nothing is written after its end. The start
 * of a tool, unless its caller says otherwise, and the end are durable: they survive a power cut.
 */
export interface Journal {
  readonly events: AsyncIterable<RunEvent>;
  /** Throws a BridleError if the event log fails. Without effect, and undefined, after the end. */
  append(draft: EventDraft, options?: AppendOptions): RunEvent | undefined;
  /** Throws a BridleError if the event log fails. */
  putArtifact(content: string): string;
  /** Writes the last event. Readers see it even if the event log fails. */
  end(draft: Extract<EventDraft, { type: "run.finished" }>): void;
}

export interface JournalServices {
  eventLog: EventLog;
  logger: Logger;
  now(): number;
  /** Called with every event of every run. Contract: does not throw and does not wait. */
  observe(event: RunEvent): void;
}

export function createJournal(scope: RunScope, { eventLog, logger, now, observe }: JournalServices): Journal {
  const stream = createEventStream<RunEvent>();
  let lastSeq = 0;
  let ended = false;

  function publish(event: RunEvent): void {
    lastSeq = event.seq;
    stream.push(event);
    observe(event);
  }

  function logEnd(draft: EventDraft): RunEvent {
    try {
      return eventLog.append(scope, draft, { durable: true });
    } catch (error) {
      logger.error({ runId: scope.runId, error }, "the end of a run could not be logged");
      return { ...draft, ...scope, seq: lastSeq + 1, time: now() };
    }
  }

  return {
    events: stream,
    append(draft, { durable = draft.type === "tool.started", excerpts } = {}) {
      if (ended) return undefined;
      const event = attempt(() => eventLog.append(scope, draft, { durable, ...(excerpts && { excerpts }) }));
      publish(event);
      return event;
    },
    putArtifact: (content) => attempt(() => eventLog.putArtifact(content)),
    end(draft) {
      if (ended) return;
      ended = true;
      publish(logEnd(draft));
      stream.end();
    },
  };
}

function attempt<T>(write: () => T): T {
  try {
    return write();
  } catch (cause) {
    if (isBridleError(cause)) throw cause;
    throw new BackendCrashError(`The run could not be logged: ${getErrorMessage(cause)}`, { cause });
  }
}
