import type { DiskSync } from "./disk-sync.ts";

/** The maximum number of milliseconds that streamed text, and any other event, is only in memory. */
const [textWaitMs, eventWaitMs] = [50, 10];

/**
 * Milliseconds until the next transaction, for each stream in the previous one. The more streams there are to write, the more events share
 * a transaction.
 */
const restMsPerStream = 0.2;

/** How urgent a write is. An `awaited` write happens in the next turn of the event loop. */
export type Urgency = "text" | "event" | "awaited";

interface GroupCommitOptions {
  readonly disk: Pick<DiskSync, "idle">;
  /** Writes everything in one transaction, and returns the number of written streams. Never throws. */
  write(): number;
}

/**
 * Decides when to write, so that one transaction is enough for many writers. While a sync runs, no other sync can begin, so items that
 * arrive during a sync are written together when it ends. If the disk is slow, they are written before the sync ends.
 */
export class GroupCommit {
  readonly #options: GroupCommitOptions;
  #next: PromiseWithResolvers<void> | undefined;
  #timer: NodeJS.Timeout | undefined;
  #dueAt = Number.POSITIVE_INFINITY;
  #restUntil = 0;
  #turn: NodeJS.Immediate | undefined;
  #pause: Promise<void> | undefined;

  constructor(options: GroupCommitOptions) {
    this.#options = options;
  }

  /** Whether only `writeNow` writes. */
  get isPaused(): boolean {
    return this.#pause !== undefined;
  }

  /** Requests that everything so far is written soon. */
  request(urgency: Urgency): void {
    if (this.#pause) return; // everything is written after the pause
    this.#writeWithin(urgency === "text" ? textWaitMs : eventWaitMs);
    if (urgency !== "awaited") return;
    const { disk } = this.#options;
    const restMs = this.#restUntil - performance.now();
    if (disk.idle) void disk.idle.then(() => this.#requestAwaited());
    else if (restMs >= 1) this.#writeWithin(restMs);
    else this.#turn ??= setImmediate(() => this.writeNow());
  }

  /** Requests a write. Resolves after the next one. */
  written(): Promise<void> {
    this.#next ??= Promise.withResolvers();
    this.request("awaited");
    return this.#next.promise;
  }

  writeNow(): void {
    this.#forgetTimes();
    const next = this.#next;
    this.#next = undefined;
    const streams = this.#options.write();
    this.#restUntil = performance.now() + Math.min(streams * restMsPerStream, eventWaitMs);
    next?.resolve();
  }

  /** Writes nothing until the work is done, except for `writeNow`. */
  async pauseDuring(work: Promise<void>): Promise<void> {
    this.#forgetTimes();
    this.#pause = work;
    try {
      await work;
    } finally {
      this.#pause = undefined;
      this.request("awaited");
    }
  }

  #forgetTimes(): void {
    clearTimeout(this.#timer);
    clearImmediate(this.#turn);
    this.#timer = undefined;
    this.#turn = undefined;
    this.#dueAt = Number.POSITIVE_INFINITY;
  }

  #requestAwaited(): void {
    if (this.#next) this.request("awaited");
  }

  #writeWithin(ms: number): void {
    const dueAt = performance.now() + ms;
    if (dueAt >= this.#dueAt) return;
    clearTimeout(this.#timer);
    this.#dueAt = dueAt;
    this.#timer = setTimeout(() => this.writeNow(), ms);
  }
}
