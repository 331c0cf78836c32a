import { inTransaction } from "@bridle/core";
import type { RunEvent } from "@bridle/protocol";
import type { Contents } from "../files/contents.ts";
import type { HeldStream, HeldStreamOptions, HeldStreams } from "./held-streams.ts";
import type { SharedWait } from "./shared-wait.ts";

/**
 * Writes in a transaction, and returns a function to call after the commit. Contract: that function does not throw, and does not use the
 * database.
 */
export type Write = () => () => void;

export interface StreamWritesOptions extends Pick<HeldStreamOptions, "database" | "streams" | "leases"> {
  readonly held: HeldStreams;
  readonly contents: Contents;
  readonly wait: SharedWait;
}

/** Writes the queued items. */
export class StreamWrites {
  readonly #options: StreamWritesOptions;

  constructor(options: StreamWritesOptions) {
    this.#options = options;
  }

  /** Runs writes in one transaction, and returns the functions to call after this commit. If a write fails, throws and writes nothing. */
  commit(writes: readonly Write[]): readonly (() => void)[] {
    const { database, wait } = this.#options;
    return wait.run(() => inTransaction(database, () => writes.map((write) => write())));
  }

  /**
   * Writes the queue of a stream, and releases the stream if its writer is closed and its runs have ended. The queued items are lost if
   * another process took the stream because it considered this process dead, for example after the machine slept.
   */
  write(stream: HeldStream): () => void {
    const { held, leases } = this.#options;
    if (!held.holds(stream)) {
      const error = held.lostError(stream);
      return () => held.drop(stream, error);
    }
    const items = stream.queue.length;
    const openRuns = this.#writeQueue(stream);
    const isFree = () => !stream.hasWriter && openRuns.size === 0;
    if (isFree()) leases.release(stream.id);
    return () => {
      stream.openRuns = openRuns;
      stream.queue.splice(0, items);
      stream.failure = undefined;
      if (isFree()) held.forget(stream);
    };
  }

  /** Writes the queue, and returns the runs that are open afterwards. */
  #writeQueue(stream: HeldStream): ReadonlyMap<string, number> {
    const { contents, streams } = this.#options;
    const openRuns = new Map(stream.openRuns);
    let newest: RunEvent | undefined;
    for (const item of stream.queue) {
      if ("bytes" in item) {
        contents.put(stream.id, item.id, item.bytes);
        continue;
      }
      newest = item.event;
      this.#writeEvent(stream.id, openRuns, item.event, item.fields);
    }
    if (newest) streams.touch(stream.id, newest);
    return openRuns;
  }

  #writeEvent(stream: number, openRuns: Map<string, number>, event: RunEvent, fields: string): void {
    const { streams } = this.#options;
    const known = openRuns.get(event.runId);
    const run = known === undefined ? streams.addRun(stream, event) : { id: known, hasEnded: false };
    streams.insert(stream, run.id, event, fields);
    if (event.type === "run.finished") openRuns.delete(event.runId);
    else if (!run.hasEnded) openRuns.set(event.runId, run.id);
    if (run.hasEnded || event.type === "run.finished") streams.end(run.id, event.seq);
  }
}
