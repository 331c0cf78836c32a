import { isSqliteDamage, readSqliteCode, sqliteCodes } from "@bridle/core";
import type { EventQuery, StreamScope } from "@bridle/protocol";
import { type HeldStream, nameOf } from "./held-streams.ts";
import type { StreamWrites, Write } from "./stream-writes.ts";

/** Something to write: the queue of a stream, or a lease. */
interface Task {
  readonly write: Write;
  fail(error: unknown): void;
}

/** The items that a store's writers have in memory. */
export class WriteQueue {
  readonly #writes: StreamWrites;
  /** The streams with something to write, oldest first. */
  readonly #changed = new Set<HeldStream>();
  #tasks: Task[] = [];
  #items = 0;
  #characters = 0;

  constructor(writes: StreamWrites) {
    this.#writes = writes;
  }

  /** The number of events and long texts since the last write. */
  get items(): number {
    return this.#items;
  }

  /** The number of characters (and, for long texts, bytes) of these items. */
  get characters(): number {
    return this.#characters;
  }

  add(stream: HeldStream, item: HeldStream["queue"][number]): void {
    stream.queue.push(item);
    this.#changed.add(stream);
    this.#items += 1;
    this.#characters += "bytes" in item ? item.bytes.length : item.fields.length;
  }

  /** Queues a check of the stream, which releases it if it has neither a writer nor open runs. */
  touch(stream: HeldStream): void {
    this.#changed.add(stream);
  }

  addTask(task: Task): void {
    this.#tasks.push(task);
  }

  /** Whether a query selects something that is only in memory. */
  has(query: EventQuery): boolean {
    return [...this.#changed].some(({ name, queue }) => {
      if ("sessionId" in query) return name === nameOf(query);
      return queue.some((item) => "event" in item && item.event.runId === query.runId);
    });
  }

  /** Why something could not be written; undefined if everything was. */
  get failure(): unknown {
    return [...this.#changed].find(({ failure }) => failure !== undefined)?.failure;
  }

  /** Returns why a stream could not be written; undefined if it was. */
  failureOf(scope: StreamScope): unknown {
    return [...this.#changed].find(({ name }) => name === nameOf(scope))?.failure;
  }

  /**
   * Writes everything in one transaction, and returns the number of streams. If one stream cannot be written, writes each stream alone, so
   * that the others are not affected. Never throws.
   */
  write(): number {
    const tasks = [...[...this.#changed].map(this.#toTask), ...this.#tasks];
    this.#tasks = [];
    [this.#items, this.#characters] = [0, 0];
    const failed = this.#tryWrite(tasks);
    const isForAll = tasks.length === 1 || (failed && !isOfOneStream(failed.error));
    if (failed && isForAll) for (const task of tasks) task.fail(failed.error);
    else if (failed) this.#writeEach(tasks);
    return tasks.length;
  }

  #writeEach(tasks: readonly Task[]): void {
    for (const task of tasks) {
      const failed = this.#tryWrite([task]);
      if (failed) task.fail(failed.error);
    }
  }

  #tryWrite(tasks: readonly Task[]): { readonly error: unknown } | undefined {
    if (tasks.length === 0) return undefined;
    let committed: readonly (() => void)[];
    try {
      committed = this.#writes.commit(tasks.map(({ write }) => write));
    } catch (error) {
      return { error };
    }
    for (const done of committed) done();
    return undefined;
  }

  readonly #toTask = (stream: HeldStream): Task => ({
    write: () => {
      const done = this.#writes.write(stream);
      return () => {
        done();
        this.#changed.delete(stream);
      };
    },
    fail(error) {
      stream.failure = error;
    },
  });
}

/** Whether other streams may be written, because the failure does not affect the file or the disk. */
function isOfOneStream(error: unknown): boolean {
  const code = readSqliteCode(error);
  const ofFile: readonly number[] = Object.values(sqliteCodes);
  return code === undefined || isSqliteDamage(error) || !ofFile.includes(code);
}
