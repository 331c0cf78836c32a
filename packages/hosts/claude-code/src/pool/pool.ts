/**
 * Keeps host processes for later calls. A call gets a process that was started for exactly the same options and knows nothing of any other
 * call. The next run of a session gets the process that holds its conversation.
 */
import { type HistoryMessage, type Resumption, StoppedError } from "@bridle/protocol";
import type { PoolLimits } from "../pool-limits.ts";
import type { HostProcess } from "../process/host-process.ts";
import { runBeforeExit } from "./before-exit.ts";
import { Demand } from "./demand.ts";
import { canServeAgain, countStates, type PoolEntry, type PoolState } from "./entry.ts";
import { conversationKey } from "./identity.ts";
import { type PoolParts, realPoolParts } from "./parts.ts";
import { type AcquiredProcess, graceMs, type ProcessRequest, type ProcessSource } from "./process-source.ts";
import { SessionAffinity } from "./session-affinity.ts";

export class Pool implements ProcessSource {
  readonly #limits: PoolLimits;
  readonly #parts: PoolParts;
  readonly #entries = new Map<HostProcess, PoolEntry>();
  readonly #endings = new Set<Promise<void>>();
  readonly #demand = new Demand();
  readonly #affinity = new SessionAffinity(this.#entries);
  readonly #counts = { started: 0, reused: 0, uses: 0 };
  #isClosed = false;
  #trimTimer: NodeJS.Timeout | undefined;
  #cancelBeforeExit: (() => void) | undefined;

  constructor(limits: PoolLimits, parts: PoolParts = realPoolParts()) {
    this.#limits = limits;
    this.#parts = parts;
  }

  async acquire(request: ProcessRequest): Promise<AcquiredProcess> {
    const { spec } = request;
    const kind = await this.#parts.identityOf(request);
    const key = conversationKey(kind, spec);
    const found = await this.#find(key);
    if (this.#isClosed) throw new StoppedError("The backend was closed."); // closing also ends the found process
    if (spec.session === undefined || spec.history.length === 0) this.#demand.note(key); // a session's history never repeats
    clearTimeout(this.#trimTimer);
    const resumption = this.#affinity.explain(request, found);
    if (found) this.#counts.reused++;
    const entry = Object.assign(found ?? this.#start(kind, request), { owner: spec.session, hasAffinity: false });
    entry.calls++;
    for (const outdated of this.#affinity.entriesOf(spec.session)) void this.#dropAffinity(outdated);
    return { process: entry.process, resumption };
  }

  release(process: HostProcess, heldHistory?: readonly HistoryMessage[]): Promise<void> {
    const entry = this.#entries.get(process);
    if (!entry) return process.close(0);
    const { kind, owner, request } = entry;
    entry.key = conversationKey(kind, heldHistory ? { history: heldHistory, session: owner } : request.spec);
    entry.hasAffinity = heldHistory !== undefined;
    entry.state = "returning";
    entry.returned = this.#return(entry);
    return Promise.resolve();
  }

  async end(process: HostProcess, next: "another" | "none" = "another"): Promise<void> {
    const entry = this.#entries.get(process);
    if (!entry) return process.close(0);
    await (next === "another" ? this.#replace(entry, 0) : this.#end(entry, 0));
  }

  /** Makes the processes that hold the conversation of `session` available to other calls. */
  async releaseSession(session: string): Promise<void> {
    await Promise.all(this.#affinity.entriesOf(session).map((entry) => this.#dropAffinity(entry)));
  }

  state(): PoolState {
    const { started, reused } = this.#counts;
    return { ...countStates(this.#entries.values()), started, reused };
  }

  /** Ends every process and waits until all are gone. */
  async close(): Promise<void> {
    this.#isClosed = true;
    clearTimeout(this.#trimTimer);
    await this.#endAll([...this.#entries.values()]);
    await Promise.all(this.#endings);
  }

  /** Returns the idle processes, of one key or of all, the most recently used first. */
  #idle(key?: string): PoolEntry[] {
    const idle = [...this.#entries.values()].filter((entry) => entry.state === "idle");
    return idle.filter((entry) => key === undefined || entry.key === key).sort((a, b) => b.usedAt - a.usedAt);
  }

  /** Returns an idle process, or, if there is none, a process that is about to become idle. */
  async #find(key: string): Promise<PoolEntry | undefined> {
    const [idle] = this.#idle(key);
    if (idle) return this.#use(idle);
    const returning = [...this.#entries.values()].find(
      (entry) => entry.key === key && entry.state === "returning" && !entry.isAwaited,
    );
    if (!returning) return undefined;
    returning.isAwaited = true;
    return (await returning.returned) ? this.#use(returning) : this.#find(key);
  }

  #use(entry: PoolEntry): PoolEntry {
    clearTimeout(entry.idleTimer);
    entry.process.ref();
    return Object.assign(entry, { state: "busy", usedAt: ++this.#counts.uses, isAwaited: false });
  }

  async #dropAffinity(entry: PoolEntry): Promise<void> {
    await entry.returned;
    if (entry.hasAffinity && entry.state === "idle") void this.release(this.#use(entry).process);
    await entry.returned;
  }

  #start(kind: string, request: ProcessRequest): PoolEntry {
    const excess = this.#entries.size + 1 - this.#limits.maxProcesses;
    if (excess > 0) void this.#endAll(this.#idle().slice(-excess));
    const process = this.#parts.open(request);
    const key = conversationKey(kind, request.spec);
    const entry: PoolEntry = {
      kind,
      key,
      request,
      process,
      state: "busy",
      calls: 0,
      usedAt: ++this.#counts.uses,
      owner: undefined,
      hasAffinity: false,
      isAwaited: false,
      isGone: false,
    };
    this.#entries.set(process, entry);
    this.#counts.started++;
    void process.gone.then(() => {
      entry.isGone = true;
      if (entry.state === "idle") void this.#end(entry, 0, "died");
    });
    return entry;
  }

  #becomeIdle(entry: PoolEntry): void {
    entry.state = "idle";
    entry.process.unref();
    this.#cancelBeforeExit ??= runBeforeExit(() => this.#endAll(this.#idle()));
    entry.idleTimer = setTimeout(() => void this.#end(entry, graceMs, "expired"), this.#limits.idleMs).unref();
    this.#trimSoon();
  }

  /** Prepares a process for another call. If it cannot serve one, ends the process. */
  async #return(entry: PoolEntry): Promise<boolean> {
    const { process, hasAffinity } = entry;
    const isReady =
      !this.#isClosed &&
      canServeAgain(entry, this.#limits) &&
      (await (hasAffinity ? process.keepConversation() : process.rewind()));
    const isFit = isReady && (await this.#isSmall(process)) && !entry.isGone;
    if (this.#isClosed || !isFit || (!entry.isAwaited && this.#entries.size > this.#limits.maxProcesses)) {
      void this.#replace(entry, graceMs);
      return false;
    }
    if (hasAffinity) {
      this.#affinity.noteHeld(entry);
      this.#startNext(entry);
    }
    if (!entry.isAwaited) this.#becomeIdle(entry);
    return true;
  }

  async #isSmall({ pid }: HostProcess): Promise<boolean> {
    const bytes = pid === undefined ? undefined : await this.#parts.memoryOf(pid);
    return bytes === undefined || bytes <= this.#limits.maxBytes;
  }

  /** Ends a process. If calls of its kind repeat, starts another process in its place, which waits for the next call. */
  async #replace(entry: PoolEntry, graceMs: number): Promise<void> {
    await this.#end(entry, graceMs);
    this.#startNext(entry);
  }

  #startNext({ kind, request }: PoolEntry): void {
    const key = conversationKey(kind, request.spec);
    setImmediate(() => {
      const isWanted = this.#demand.isRepeated(key) && this.#idle(key).length === 0;
      const hasRoom = this.#entries.size < this.#limits.maxProcesses;
      if (!this.#isClosed && isWanted && hasRoom) this.#startAhead(kind, request);
    });
  }

  #startAhead(kind: string, request: ProcessRequest): void {
    try {
      this.#becomeIdle(this.#start(kind, request));
    } catch {
      // no call waits for this process; if the next call cannot start a process either, that call gets the error
    }
  }

  /** Ends idle processes after a while. When no process is busy, one idle process is enough, besides those that hold a session. */
  #trimSoon(): void {
    clearTimeout(this.#trimTimer);
    if (this.#entries.size < 2 || this.#idle().length < this.#entries.size) return;
    const free = () => this.#idle().filter(({ hasAffinity }) => !hasAffinity);
    this.#trimTimer = setTimeout(() => void this.#endAll(free().slice(1)), this.#limits.trimMs).unref();
  }

  #end(entry: PoolEntry, graceMs: number, reason: Resumption["reason"] = "not-retained"): Promise<void> {
    if (!this.#entries.delete(entry.process)) return Promise.resolve(); // the process is already ending
    this.#affinity.noteLost(entry, reason);
    clearTimeout(entry.idleTimer);
    this.#trimSoon();
    if (this.#entries.size === 0) this.#forgetBeforeExit();
    const ending = entry.process.close(graceMs).finally(() => this.#endings.delete(ending));
    this.#endings.add(ending);
    return ending;
  }

  #forgetBeforeExit(): void {
    this.#cancelBeforeExit?.();
    this.#cancelBeforeExit = undefined;
  }

  async #endAll(entries: readonly PoolEntry[]): Promise<void> {
    await Promise.all(entries.map((entry) => this.#end(entry, graceMs, "evicted")));
  }
}
