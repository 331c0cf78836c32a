import { createEventRedaction, inTransaction, type Redactor } from "@bridle/core";
import { type AppendOptions, type EventDraft, omitUndefined, type RunEvent, type RunScope } from "@bridle/protocol";
import { type HeldStream, type HeldStreamOptions, HeldStreams } from "./held-streams.ts";

/** The longest time, in milliseconds, that streamed text is only in memory. */
const maxDeltaMs = 50;

/** The most events that are only in memory, however fast they arrive. */
const maxUnwritten = 1000;

export interface WriterOptions extends HeldStreamOptions {
  redactor: Redactor;
  now(): number;
}

interface UnwrittenEvent {
  readonly stream: HeldStream;
  readonly event: RunEvent;
  readonly fields: string;
}

/**
 * Writes events to disk. A stream is held from its first event, or from a claim, until all its runs have ended. Meanwhile
 * `seq` is counted in memory, and other writers get a StoreBusyError.
 */
export class Writer {
  readonly #options: WriterOptions;
  readonly #redact: ReturnType<typeof createEventRedaction>;
  readonly #held: HeldStreams;
  #unwritten: UnwrittenEvent[] = [];
  #timer: NodeJS.Timeout | undefined;
  #isFailing = false;
  #isDurable = false;

  constructor(options: WriterOptions) {
    this.#options = options;
    this.#redact = createEventRedaction(options.redactor);
    this.#held = new HeldStreams(options);
  }

  /** Holds a session for its next run. Returns a function that ends the claim. */
  claim(sessionId: string): () => void {
    this.#write(false); // the end of an earlier run may be unwritten
    const stream = this.#held.claim(sessionId);
    return () => {
      const hasUnwritten = this.#unwritten.some((each) => each.stream === stream);
      this.#held.endClaim(stream, hasUnwritten);
    };
  }

  append(scope: RunScope, draft: EventDraft, { durable = false, excerpts }: AppendOptions = {}): RunEvent {
    const stream = this.#held.hold(scope);
    const { type, ...fields } = this.#redact(scope.runId, draft, excerpts);
    const text = JSON.stringify(fields);
    const { runId, sessionId } = scope;
    const position = omitUndefined({ seq: stream.lastSeq + 1, time: this.#options.now(), runId, sessionId });
    const event = { ...position, type, ...fields } as RunEvent; // the draft plus its position in the log
    stream.lastSeq = event.seq;
    this.#unwritten.push({ stream, event, fields: text });
    const canWait = isDelta(event) && !durable && !this.#isFailing && this.#unwritten.length < maxUnwritten;
    if (canWait) this.#schedule();
    else this.#writeOrTakeBack(event, durable);
    return event;
  }

  /** Writes events that are only in memory. If that fails, the next append tries again and throws. */
  flush(): void {
    try {
      this.#write(false);
    } catch {
      this.#isFailing = true;
    }
  }

  /** Runs `work` on a stream that has no writer. Throws a StoreBusyError if it has one. */
  runAlone<T>(stream: number, name: string, work: () => T): T {
    this.#write(false);
    return inTransaction(this.#options.database, () => {
      this.#held.refuseOthers(stream, name);
      if (this.#held.has(name)) throw this.#held.busyError(name, process.pid);
      return work();
    });
  }

  close(): void {
    this.#write(true);
    clearTimeout(this.#timer);
  }

  /** Takes back an event that could not be written, except the end of a run: that is written as soon as possible. */
  #writeOrTakeBack(event: RunEvent, durable: boolean): void {
    try {
      this.#write(durable);
    } catch (error) {
      const last = this.#unwritten.at(-1);
      if (event.type !== "run.finished" && last?.event === event) {
        this.#unwritten.pop();
        last.stream.lastSeq -= 1;
      }
      throw error;
    }
  }

  #schedule(): void {
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined;
      this.flush();
    }, maxDeltaMs);
  }

  #write(durable: boolean): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    if (this.#unwritten.length === 0) return;
    this.#setDurable(durable);
    const changes = inTransaction(this.#options.database, () => this.#writeAll());
    for (const [stream, openRuns] of changes) {
      stream.openRuns = openRuns;
      if (openRuns.size === 0) this.#held.drop(stream);
    }
    this.#unwritten = [];
    this.#isFailing = false;
  }

  /** Returns the open runs of each changed stream. Releases streams without open runs. */
  #writeAll(): Map<HeldStream, Map<string, number>> {
    const changes = new Map<HeldStream, Map<string, number>>();
    for (const { stream, event, fields } of this.#unwritten) {
      const openRuns = changes.get(stream) ?? new Map(this.#requireHeld(stream).openRuns);
      changes.set(stream, openRuns);
      this.#writeOne(stream.id, openRuns, event, fields);
    }
    for (const [{ id }, openRuns] of changes) if (openRuns.size === 0) this.#options.leases.release(id);
    return changes;
  }

  #writeOne(stream: number, openRuns: Map<string, number>, event: RunEvent, fields: string): void {
    const { streams } = this.#options;
    const known = openRuns.get(event.runId);
    const run = known === undefined ? streams.addRun(stream, event) : { id: known, hasEnded: false };
    streams.insert(stream, run.id, event, fields);
    if (event.type === "run.finished") openRuns.delete(event.runId);
    else if (!run.hasEnded) openRuns.set(event.runId, run.id);
    if (run.hasEnded || event.type === "run.finished") streams.end(run.id, event.seq);
  }

  /** If another process took this one for dead, for example after sleep, unwritten events of the stream are lost. */
  #requireHeld(stream: HeldStream): HeldStream {
    const holder = this.#options.leases.holderOf(stream.id);
    if (holder?.token === this.#options.owner.token) return stream;
    this.#unwritten = this.#unwritten.filter((each) => each.stream !== stream);
    this.#held.drop(stream);
    throw this.#held.busyError(stream.name, holder?.pid ?? process.pid);
  }

  /** With FULL, a commit survives a power cut. With NORMAL, it survives only the end of the process. */
  #setDurable(durable: boolean): void {
    if (durable === this.#isDurable) return;
    this.#options.database.exec(`PRAGMA synchronous = ${durable ? "FULL" : "NORMAL"}`);
    this.#isDurable = durable;
  }
}

function isDelta({ type }: RunEvent): boolean {
  return type === "text.delta" || type === "reasoning.delta";
}
