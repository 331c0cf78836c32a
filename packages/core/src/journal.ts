import { createEventStream } from "./event-stream.ts";
import type { EventDraft, RunEvent } from "./events.ts";
import type { Logger } from "./logger.ts";
import type { EventRecord } from "./record.ts";

/** What a run writes: first into the record, then to whoever reads the run. Nothing is written after its end. */
export interface Journal {
  readonly events: AsyncIterable<RunEvent>;
  readonly ended: boolean;
  /** Throws what the record throws. Without effect, and undefined, after the end. */
  append(draft: EventDraft): RunEvent | undefined;
  putArtifact(content: string): string;
  /** Writes the last event. A record that fails now does not keep the readers from seeing it. */
  end(draft: Extract<EventDraft, { type: "run.finished" }>): void;
}

export interface JournalServices {
  record: EventRecord;
  logger: Logger;
  now(): number;
  /** Called with every event of every run. Contract: does not throw and does not wait. */
  observe(event: RunEvent): void;
}

export function createJournal(runId: string, { record, logger, now, observe }: JournalServices): Journal {
  const stream = createEventStream<RunEvent>();
  let ended = false;

  function publish(event: RunEvent): void {
    stream.push(event);
    observe(event);
  }

  return {
    events: stream,
    get ended() {
      return ended;
    },
    append(draft) {
      if (ended) return undefined;
      const event = record.append(runId, draft);
      publish(event);
      return event;
    },
    putArtifact: (content) => record.putArtifact(content),
    end(draft) {
      ended = true;
      try {
        publish(record.append(runId, draft));
      } catch (error) {
        logger.error({ runId, error }, "the end of a run could not be put on record");
        publish({ ...draft, runId, seq: record.events(runId).length + 1, time: now() });
      }
      stream.end();
    },
  };
}
