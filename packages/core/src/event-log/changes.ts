import type { EventLog, EventQuery, RunEvent } from "@bridle/protocol";
import { startTimer } from "../time/timer.ts";

/** How many events are read at a time. */
const pageLength = 500;

/** Wakes the readers that follow a log in this process. Without readers, it costs nothing. */
export class Changes {
  #next: PromiseWithResolvers<void> | undefined;

  /** Reports that something was written. */
  announce(): void {
    this.#next?.resolve();
    this.#next = undefined;
  }

  /** Resolves with the next announcement. */
  next(): Promise<void> {
    this.#next ??= Promise.withResolvers();
    return this.#next.promise;
  }
}

export interface FollowOptions {
  readonly changes: Changes;
  /** Milliseconds between two reads without an announcement. Missing if no other process can write. */
  readonly pollMs?: number;
  /** Called before each read after the first, to end the runs of processes that died. */
  readonly beforeRead?: () => Promise<void> | void;
}

/** Implements `follow` of an event log with its `read`. */
export async function* followReads(
  read: EventLog["read"],
  query: EventQuery,
  signal: AbortSignal,
  { changes, pollMs, beforeRead }: FollowOptions,
): AsyncGenerator<RunEvent> {
  for (let from = query.from ?? 1; ; ) {
    const changed = changes.next(); // before the read, so that nothing is missed between the two
    const page = await read({ ...query, from, limit: pageLength });
    for (const event of page) {
      if (signal.aborted) return;
      yield event;
      if ("runId" in query && event.type === "run.finished") return;
    }
    from = (page.at(-1)?.seq ?? from - 1) + 1;
    if (page.length === pageLength) continue;
    if (signal.aborted) return;
    await firstOf(changed, signal, pollMs);
    if (signal.aborted) return;
    await beforeRead?.();
  }
}

/** Resolves at the first of: a change, the end of `pollMs`, or the signal's abort. */
async function firstOf(changed: Promise<void>, signal: AbortSignal, pollMs: number | undefined): Promise<void> {
  const over = Promise.withResolvers<void>();
  const cancel = pollMs === undefined ? () => {} : startTimer(pollMs, over.resolve);
  const onAbort = () => over.resolve();
  signal.addEventListener("abort", onAbort, { once: true });
  await Promise.race([changed, over.promise]);
  signal.removeEventListener("abort", onAbort);
  cancel();
}
