import {
  type AppendOptions,
  BackendCrashError,
  type EventDraft,
  type EventLog,
  isBridleError,
  type Logger,
  type RunEvent,
  type RunPlace,
  reasonOf,
} from "@bridle/protocol";
import { createEventStream } from "./event-stream.ts";

/**
 * What a run writes: first into the record, then to whoever reads the run. Nothing is written after its end. What must
 * be known after a power cut is asked to be durable: that a tool starts, unless its caller says otherwise, and the end.
 */
export interface Journal {
  readonly events: AsyncIterable<RunEvent>;
  /** Throws a BridleError when the record fails. Without effect, and undefined, after the end. */
  append(draft: EventDraft, options?: AppendOptions): RunEvent | undefined;
  /** Throws a BridleError when the record fails. */
  putArtifact(content: string): string;
  /** Writes the last event. A record that fails now does not keep the readers from seeing it. */
  end(draft: Extract<EventDraft, { type: "run.finished" }>): void;
}

export interface JournalServices {
  record: EventLog;
  logger: Logger;
  now(): number;
  /** Called with every event of every run. Contract: does not throw and does not wait. */
  observe(event: RunEvent): void;
}

export function createJournal(place: RunPlace, { record, logger, now, observe }: JournalServices): Journal {
  const stream = createEventStream<RunEvent>();
  let lastSeq = 0;
  let ended = false;

  function publish(event: RunEvent): void {
    lastSeq = event.seq;
    stream.push(event);
    observe(event);
  }

  function recordEnd(draft: EventDraft): RunEvent {
    try {
      return record.append(place, draft, { durable: true });
    } catch (error) {
      logger.error({ runId: place.runId, error }, "the end of a run could not be put on record");
      return { ...draft, ...place, seq: lastSeq + 1, time: now() };
    }
  }

  return {
    events: stream,
    append(draft, { durable = draft.type === "tool.started" } = {}) {
      if (ended) return undefined;
      const event = attempt(() => record.append(place, draft, { durable }));
      publish(event);
      return event;
    },
    putArtifact: (content) => attempt(() => record.putArtifact(content)),
    end(draft) {
      if (ended) return;
      ended = true;
      publish(recordEnd(draft));
      stream.end();
    },
  };
}

function attempt<T>(write: () => T): T {
  try {
    return write();
  } catch (cause) {
    if (isBridleError(cause)) throw cause;
    throw new BackendCrashError(`The run could not be put on record: ${reasonOf(cause)}`, { cause });
  }
}
