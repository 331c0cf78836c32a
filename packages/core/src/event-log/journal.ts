import {
  type AppendOptions,
  type ArtifactContent,
  BackendCrashError,
  type EventDraft,
  type EventLog,
  type EventWriter,
  getErrorMessage,
  isBridleError,
  type Logger,
  type RunEvent,
  type RunScope,
} from "@bridle/protocol";
import { createEventStream } from "./event-stream.ts";

/** The services of every journal of a runtime. */
export interface JournalServices {
  eventLog: EventLog;
  logger: Logger;
  now(): number;
  /** Called with every event of every run. Contract: does not throw and does not wait. */
  observe(event: RunEvent): void;
}

/** The methods of a journal that the other parts of a run use. */
export type JournalWriter = Pick<Journal, "append" | "putArtifact" | "durable">;

/**
 * Writes the events of one run: first to the event log, then to the run's readers. After the run's end, nothing is written. Appending never
 * waits; `durable` waits where the run must not continue before the log is on disk: before a tool with effects starts and before its result
 * is returned. The end is durable before readers see it.
 */
export class Journal {
  readonly #scope: RunScope;
  readonly #services: JournalServices;
  readonly #stream = createEventStream<RunEvent>();
  #writer: EventWriter | undefined;
  #lastSeq = 0;
  #hasEnded = false;

  constructor(scope: RunScope, services: JournalServices) {
    this.#scope = scope;
    this.#services = services;
  }

  get events(): AsyncIterable<RunEvent> {
    return this.#stream;
  }

  /** Opens the stream of the run, unless its session has opened it. Rejects with a BridleError. Call `open` before any other method. */
  async open(writer?: EventWriter): Promise<void> {
    const { runId, sessionId } = this.#scope;
    const stream = sessionId === undefined ? { runId } : { sessionId };
    this.#writer = writer ?? (await attemptAsync(() => this.#services.eventLog.openWriter(stream)));
  }

  /** Appends an event. Throws a BridleError if the event log fails. After the end, does nothing and returns undefined. */
  append = (draft: EventDraft, options?: AppendOptions): RunEvent | undefined => {
    if (this.#hasEnded) return undefined;
    const event = attempt(() => this.#opened().append(this.#scope.runId, draft, options));
    this.#publish(event);
    return event;
  };

  /** Stores an artifact and returns its id. Throws a BridleError if the event log fails. */
  putArtifact = (content: ArtifactContent): string => attempt(() => this.#opened().putArtifact(content));

  /** Resolves when everything written so far survives a power cut. Rejects with a BridleError if the event log fails. */
  durable = (): Promise<void> => attemptAsync(() => this.#opened().durable());

  /** Writes the last event, and releases the stream. Readers see the event even if the event log fails. Never rejects. */
  async end(draft: Extract<EventDraft, { type: "run.finished" }>): Promise<void> {
    if (this.#hasEnded) return;
    this.#hasEnded = true;
    this.#publish(await this.#logEnd(draft));
    this.#stream.end();
  }

  async #logEnd(draft: EventDraft): Promise<RunEvent> {
    const { logger, now } = this.#services;
    let event: RunEvent | undefined;
    let closing: Promise<void> | undefined;
    try {
      event = this.#opened().append(this.#scope.runId, draft);
      closing = this.#writer?.close(); // released with this event, because its readers may begin the next run
      closing?.catch(() => {}); // reported below
      await this.#opened().durable();
    } catch (error) {
      logger.error({ runId: this.#scope.runId, error }, "the end of a run could not be logged");
    }
    try {
      await (closing ?? this.#writer?.close());
    } catch (error) {
      logger.error({ runId: this.#scope.runId, error }, "the stream of a run could not be closed");
    }
    return event ?? { ...draft, ...this.#scope, seq: this.#lastSeq + 1, time: now() };
  }

  #publish(event: RunEvent): void {
    this.#lastSeq = event.seq;
    this.#stream.push(event);
    this.#services.observe(event);
  }

  #opened(): EventWriter {
    if (this.#writer) return this.#writer;
    throw new BackendCrashError("The run could not be logged: its stream in the event log is not open.");
  }
}

function attempt<T>(write: () => T): T {
  try {
    return write();
  } catch (cause) {
    throw asBridleError(cause);
  }
}

async function attemptAsync<T>(write: () => Promise<T>): Promise<T> {
  try {
    return await write();
  } catch (cause) {
    throw asBridleError(cause);
  }
}

function asBridleError(cause: unknown): Error {
  if (isBridleError(cause)) return cause;
  return new BackendCrashError(`The run could not be logged: ${getErrorMessage(cause)}`, { cause });
}
