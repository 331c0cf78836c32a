import { createEventRedaction, inTransaction, type Redactor, sha256 } from "@bridle/core";
import {
  type AppendOptions,
  type EventDraft,
  type EventQuery,
  isBridleError,
  isDelta,
  omitUndefined,
  type RunEvent,
  type RunScope,
  StoreError,
  type StreamScope,
} from "@bridle/protocol";
import type { Contents } from "../files/contents.ts";
import { Checkpoints, maxLogPages } from "./checkpoints.ts";
import { DiskSync } from "./disk-sync.ts";
import { GroupCommit } from "./group-commit.ts";
import { type HeldStream, type HeldStreamOptions, HeldStreams } from "./held-streams.ts";
import { SharedWait } from "./shared-wait.ts";
import { StreamWrites } from "./stream-writes.ts";
import { writeAtExit } from "./write-at-exit.ts";
import { WriteQueue } from "./write-queue.ts";

/** The maximum number of events that are only in memory, however fast they arrive: normally, and while writing is paused. */
const [maxQueued, maxInPause] = [500, 10_000];

export interface WriterOptions extends HeldStreamOptions {
  contents: Contents;
  redactor: Redactor;
  now(): number;
  /** Called after each write that contained something. */
  onWritten(): void;
}

/** A stream that is open for writing. */
export interface OpenStream {
  append(runId: string, draft: EventDraft, options?: AppendOptions): RunEvent;
  /** Stores a long text, which must not contain a credential, and returns its hash. */
  putArtifact(content: string): string;
  durable(): Promise<void>;
  /**
   * Closes the stream. Never rejects: items that cannot be written now are written with the next event of this store. Call it once, after
   * all other calls.
   */
  close(): Promise<void>;
}

/**
 * Writes events to disk, for all writers of a store in one transaction: streamed text within 50 ms, every other event within 10 ms, and
 * everything before the process exits. `durable` waits until the events survive a power cut.
 */
export class Writer {
  readonly #options: WriterOptions;
  readonly #redact: ReturnType<typeof createEventRedaction>;
  readonly #held: HeldStreams;
  readonly #disk: DiskSync;
  readonly #wait: SharedWait;
  readonly #queue: WriteQueue;
  readonly #group: GroupCommit;
  readonly #checkpoints: Checkpoints;
  readonly #forgetExit: () => void;

  constructor(options: WriterOptions) {
    this.#options = options;
    this.#redact = createEventRedaction(options.redactor);
    this.#held = new HeldStreams(options);
    this.#disk = new DiskSync(options.file);
    this.#wait = new SharedWait(options.database);
    this.#queue = new WriteQueue(new StreamWrites({ ...options, held: this.#held, wait: this.#wait }));
    this.#group = new GroupCommit({
      disk: this.#disk,
      write: () => this.#write(),
    });
    this.#checkpoints = new Checkpoints({
      file: options.file,
      pauseDuring: (work) => this.#group.pauseDuring(work),
    });
    options.database.exec(`PRAGMA wal_autocheckpoint = ${maxLogPages}`);
    this.#forgetExit = writeAtExit(() => this.#writeLast());
  }

  /** Takes a stream. Rejects with a StoreBusyError if the stream has a writer. */
  async open(scope: StreamScope): Promise<OpenStream> {
    this.#refuseAfterDiskFailure();
    const stream = this.#held.takeHeld(scope) ?? (await this.#take(scope));
    return {
      append: (runId, draft, options) => this.#append(stream, { ...scope, runId }, draft, options),
      putArtifact: (content) => this.#putArtifact(stream, content),
      durable: () => this.#durable(stream),
      close: () => this.#close(stream),
    };
  }

  /**
   * Writes the items in memory. If a query is given, writes only if the query selects one of the items. If writing fails, the next append
   * tries again.
   */
  flush(query?: EventQuery): void {
    if (query === undefined || this.#queue.has(query)) this.#group.writeNow();
  }

  /** Writes the items in memory. Throws if the stream in `required` cannot be written. */
  flushAll(required?: StreamScope): void {
    this.#group.writeNow();
    const failure = required && this.#queue.failureOf(required);
    if (failure !== undefined) throw failure;
  }

  /** Runs `work` on a stream that has no writer. Throws a StoreBusyError if the stream has a writer. */
  runAlone<T>(stream: number, name: string, work: () => T): T {
    this.#group.writeNow();
    return inTransaction(this.#options.database, () => {
      this.#held.refuseOthers(stream, name);
      if (this.#held.has(name)) throw this.#held.busyError(name, this.#options.owner);
      return work();
    });
  }

  /** Writes everything and closes the database. Throws if something cannot be written. */
  close(): void {
    this.#forgetExit();
    this.#writeLast();
    this.#disk.close();
    const { failure } = this.#queue;
    if (failure !== undefined) throw failure;
  }

  /** Waits until no thread uses the files any more. Call it after `close`. */
  ended(): Promise<void> {
    return this.#checkpoints.close();
  }

  /** Takes a stream. Streams that are opened at the same time share a transaction. */
  async #take(scope: StreamScope): Promise<HeldStream> {
    const { promise, resolve, reject } = Promise.withResolvers<HeldStream>();
    this.#queue.addTask({
      write: () => {
        try {
          const done = this.#held.take(scope);
          return () => resolve(done());
        } catch (error) {
          if (!isBridleError(error)) throw error;
          return () => reject(error); // the stream is busy; nothing was written
        }
      },
      fail: reject,
    });
    void this.#group.written();
    try {
      return await promise;
    } finally {
      this.#held.endTaking(scope);
    }
  }

  #append(
    stream: HeldStream,
    { runId, sessionId }: RunScope,
    draft: EventDraft,
    { excerpts }: AppendOptions = {},
  ): RunEvent {
    this.#refuseIfLost(stream);
    if (draft.type !== "run.finished") this.#refuseAfterDiskFailure();
    const { type, ...fields } = this.#redact(runId, draft, excerpts);
    const text = JSON.stringify(fields);
    const position = omitUndefined({ seq: stream.lastSeq + 1, time: this.#options.now(), runId, sessionId });
    const event = { ...position, type, ...fields } as RunEvent; // the draft plus its position in the log
    stream.lastSeq = event.seq;
    this.#queue.add(stream, { event, fields: text });
    const max = this.#group.isPaused ? maxInPause : maxQueued;
    if (stream.failure !== undefined || this.#queue.items >= max) this.#writeOrTakeBack(stream, event);
    else this.#group.request(isDelta(event) ? "text" : "event");
    return event;
  }

  #putArtifact(stream: HeldStream, content: string): string {
    this.#refuseIfLost(stream);
    this.#refuseAfterDiskFailure();
    const bytes = Buffer.from(content);
    const id = sha256(bytes);
    this.#queue.add(stream, { id, bytes });
    this.#group.request("event");
    return id;
  }

  #refuseIfLost({ lost }: HeldStream): void {
    if (lost) throw lost;
    const { database, file } = this.#options;
    if (!database.isOpen) throw new StoreError(`The event log ${file} is closed. Open it again to write.`, file);
  }

  /** Refuses new work after a failed sync, because the new events could not survive a power cut. */
  #refuseAfterDiskFailure(): void {
    if (this.#disk.failure) throw this.#disk.failure;
  }

  /** Waits until the stream's events are durable. Closing the log writes everything, so earlier appends are durable then, too. */
  async #durable(stream: HeldStream): Promise<void> {
    if (stream.queue.length > 0) await this.#group.written();
    throwIfFailed(stream);
    await this.#disk.sync();
  }

  async #close(stream: HeldStream): Promise<void> {
    stream.hasWriter = false;
    if (stream.lost || !this.#options.database.isOpen) return;
    this.#queue.touch(stream); // the write releases the stream
    await this.#group.written();
  }

  /** Writes an event. If that fails, removes the event from the queue. Only the end of a run stays, and is written as soon as possible. */
  #writeOrTakeBack(stream: HeldStream, event: RunEvent): void {
    this.#group.writeNow();
    const last = stream.queue.at(-1);
    if (stream.failure !== undefined && event.type !== "run.finished" && last && "event" in last) {
      stream.queue.pop();
      stream.lastSeq -= 1;
    }
    throwIfFailed(stream);
  }

  /** Writes, and waits for a locked file in any case, because no later write follows. */
  #writeLast(): void {
    this.#wait.allow();
    this.#group.writeNow();
  }

  #write(): number {
    if (!this.#options.database.isOpen) return 0;
    this.#checkpoints.count(this.#queue.items, this.#queue.characters);
    const streams = this.#queue.write();
    if (streams > 0) this.#options.onWritten(); // a reader that flushes nothing wakes nobody
    return streams;
  }
}

function throwIfFailed({ lost, failure }: HeldStream): void {
  if (lost) throw lost;
  if (failure !== undefined) throw failure;
}
