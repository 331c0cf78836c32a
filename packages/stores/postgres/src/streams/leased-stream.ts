import { setImmediate as nextTurn, setTimeout as sleep } from "node:timers/promises";
import { type EventDraft, isBridleError, isDelta, type RunEvent } from "@bridle/protocol";
import { classifyDatabaseError, toEventLogError } from "../database/database-failures.ts";
import { canTryAgain, type LogDatabase, pauseAfter, type SendStatement } from "../database/log-database.ts";
import { nameOfKey, type StreamState, scopeOf, storedFieldsOf } from "../database/stream-state.ts";
import { writeChange } from "../following/changes-of-streams.ts";
import { createBusyError } from "./leases.ts";
import { writeContent } from "./write-contents.ts";
import { type StoredEvent, writeEvents } from "./write-events.ts";

/** The maximum number of milliseconds that streamed text waits for more text. */
const maxWaitMs = 25;

/** The maximum number of events and characters in one transaction. */
const [batchItems, batchChars] = [1000, 4_000_000];

interface LongText {
  readonly id: string;
  readonly bytes: Buffer;
}

/** A queued item: an event or a long text. */
type QueuedItem = { readonly stored: StoredEvent } | { readonly text: LongText };

export interface LeasedStreamOptions {
  readonly database: LogDatabase;
  /** Identifies the period in which this owner holds the stream. The lease contains this token until another owner takes the stream. */
  readonly token: string;
  /** Called after each transaction with its change, for followers in this process. */
  onWritten(change: string): void;
  /** Called when everything has been written. */
  onIdle(stream: LeasedStream): void;
  /** Called when the stream has another owner, or an event can never be written. */
  onLost(stream: LeasedStream): void;
}

interface Waiter {
  /** The number of items that must have been written. */
  readonly upTo: number;
  resolve(): void;
  reject(error: Error): void;
}

/**
 * A stream that this process writes. Items are queued, and written in order by one transaction after another. Each transaction checks the
 * lease and can be repeated, so a lost connection never loses, duplicates or reorders items.
 */
export class LeasedStream {
  readonly token: string;
  /** Whether a writer is open. */
  hasWriter = true;
  readonly #options: LeasedStreamOptions;
  #state: StreamState;
  #lastSeq: number;
  #queue: QueuedItem[] = [];
  #queued = 0;
  #written = 0;
  #waiters: Waiter[] = [];
  #timer: NodeJS.Timeout | undefined;
  #isWriting = false;
  #failingSince: number | undefined;
  #failure: Error | undefined;
  #lost: Error | undefined;

  constructor(state: StreamState, options: LeasedStreamOptions) {
    this.token = options.token;
    this.#state = state;
    this.#lastSeq = state.lastSeq;
    this.#options = options;
  }

  get id(): number {
    return this.#state.id;
  }

  get name(): string {
    return nameOfKey(this.#state.key);
  }

  /** Why events cannot be written now; undefined if they can. */
  get failure(): Error | undefined {
    return this.#lost ?? this.#failure;
  }

  /** Whether nothing is left to write: no writer, no open run, no queued item. */
  get isFree(): boolean {
    return !this.hasWriter && this.#queue.length === 0 && this.#state.openRuns.size === 0;
  }

  /** Queues an event, which must not contain a credential. Throws if the stream has another owner. */
  append(runId: string, draft: EventDraft, time: number): RunEvent {
    if (this.#lost) throw this.#lost;
    const { type, ...own } = draft;
    const position = { seq: this.#lastSeq + 1, time, ...scopeOf(this.#state.key, runId) };
    const event = { ...position, type, ...own } as RunEvent; // the draft plus its position, with keys in the order that a reader returns
    const fields = storedFieldsOf(event);
    this.#lastSeq = event.seq;
    this.#add({ stored: { event, fields } });
    if (!isDelta(event) || this.#queue.length >= batchItems) void this.#write();
    else this.#timer ??= setTimeout(() => void this.#write(), maxWaitMs);
    return event;
  }

  /** Queues a long text, which must not contain a credential. Throws if the stream has another owner. */
  putText(text: LongText): void {
    if (this.#lost) throw this.#lost;
    this.#add({ text });
  }

  /** Resolves when everything queued so far has been committed. Rejects with a StoreError if that was not possible in time. */
  async flush(): Promise<void> {
    if (this.#written === this.#queued) return;
    if (this.failure) throw this.failure;
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    this.#waiters.push({ upTo: this.#queued, resolve, reject });
    void this.#write();
    await promise;
  }

  /** Gives up the stream. Events that are not written are lost. */
  lose(error: Error): void {
    if (this.#lost) return;
    clearTimeout(this.#timer);
    this.#lost = error;
    this.#queue = [];
    this.#rejectAll(error);
    this.#options.onLost(this);
  }

  #add(item: QueuedItem): void {
    this.#queue.push(item);
    this.#queued += 1;
  }

  /** Writes everything. Never rejects: `flush` reports failures. */
  async #write(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    if (this.#isWriting) return;
    this.#isWriting = true;
    await nextTurn(); // events that are appended at the same time go into the same transaction
    for (let failures = 0; this.#queue.length > 0; ) {
      const isWritten = await this.#writeBatch(takeBatch(this.#queue));
      failures = isWritten ? 0 : failures + 1;
      if (!isWritten && this.#lost === undefined) await sleep(pauseAfter(failures));
    }
    this.#isWriting = false;
    this.#options.onIdle(this);
  }

  async #writeBatch(batch: readonly QueuedItem[]): Promise<boolean> {
    const change = writeChange({ key: this.#state.key, runIds: runsOf(batch) });
    try {
      const state = await this.#options.database.writeOnce((send) => this.#writeItems(send, batch, change));
      if (this.#lost) return false;
      this.#state = state;
    } catch (error) {
      this.#endure(error);
      return false;
    }
    this.#queue.splice(0, batch.length);
    this.#written += batch.length;
    this.#failingSince = undefined;
    this.#failure = undefined;
    this.#resolveWritten();
    this.#options.onWritten(change);
    return true;
  }

  async #writeItems(send: SendStatement, batch: readonly QueuedItem[], change: string): Promise<StreamState> {
    const { id, key } = this.#state;
    const held = await send(
      "SELECT pg_notify(current_schema(), $3) FROM leases WHERE stream = $1 AND token = $2 FOR UPDATE",
      [id, this.token, change],
    );
    if (held.length === 0) {
      const [lease] = await send("SELECT holder FROM leases WHERE stream = $1", [id]);
      throw createBusyError(key, String(lease?.holder ?? "another process"), this.#options.database.address);
    }
    for (const item of batch) if ("text" in item) await writeContent(send, id, item.text.bytes, item.text.id);
    return writeEvents(
      send,
      this.#state,
      batch.flatMap((item) => ("stored" in item ? [item.stored] : [])),
    );
  }

  /** Reports a lost connection only if it lasts. After an error that trying again cannot repair, gives up the stream. */
  #endure(error: unknown): void {
    const { database } = this.#options;
    const failure = toEventLogError(error, database.address);
    if (isBridleError(error) || classifyDatabaseError(error) === "other") {
      this.lose(failure);
      return;
    }
    this.#failingSince ??= performance.now();
    if (canTryAgain(error) && performance.now() - this.#failingSince < database.patienceMs) return;
    this.#failure = failure;
    this.#rejectAll(failure);
  }

  #resolveWritten(): void {
    for (const { upTo, resolve } of this.#waiters) if (upTo <= this.#written) resolve();
    this.#waiters = this.#waiters.filter(({ upTo }) => upTo > this.#written);
  }

  #rejectAll(error: Error): void {
    for (const { reject } of this.#waiters) reject(error);
    this.#waiters = [];
  }
}

function takeBatch(queue: readonly QueuedItem[]): readonly QueuedItem[] {
  let [count, chars] = [0, 0];
  for (const item of queue) {
    chars += "stored" in item ? item.stored.fields.length : item.text.bytes.length;
    if (count > 0 && (count >= batchItems || chars > batchChars)) break;
    count += 1;
  }
  return queue.slice(0, count);
}

function runsOf(batch: readonly QueuedItem[]): readonly string[] {
  return [...new Set(batch.flatMap((item) => ("stored" in item ? [item.stored.event.runId] : [])))];
}
