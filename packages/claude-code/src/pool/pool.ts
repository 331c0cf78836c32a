/**
 * Keeps processes of the host for the calls to come. A call gets a process that was started for exactly what it asks
 * for, and that knows nothing of any other call.
 */
import { StoppedError } from "@bridle/core";
import { type HostSession, openHostSession } from "../host-session.ts";
import { createDemand } from "./demand.ts";
import { countPlaces, type Entry, type PoolState } from "./entry.ts";
import { createIdentity } from "./identity.ts";
import { whenNothingIsLeftToDo } from "./leave.ts";
import type { PoolLimits } from "./limits.ts";
import { residentMemoryOf } from "./resident-memory.ts";
import { graceMs, type SessionRequest, type Sessions } from "./sessions.ts";

export interface Pool extends Sessions {
  state(): PoolState;
  /** Ends every process, and waits for it. */
  close(): Promise<void>;
}

/** What the pool needs of the world; tests bring their own. */
export interface PoolParts {
  open(request: SessionRequest): HostSession;
  identityOf(request: SessionRequest): Promise<string>;
  /** In bytes; undefined where nobody knows. */
  memoryOf(pid: number): Promise<number | undefined>;
}

const realParts = (): PoolParts => ({
  open: openHostSession,
  identityOf: createIdentity(),
  memoryOf: residentMemoryOf,
});

export function createPool(limits: PoolLimits, { open, identityOf, memoryOf }: PoolParts = realParts()): Pool {
  const entries = new Map<HostSession, Entry>();
  const endings = new Set<Promise<void>>();
  const demand = createDemand();
  const counts = { started: 0, reused: 0, uses: 0 };
  let closed = false;
  let trimTimer: NodeJS.Timeout | undefined;
  let stay: (() => void) | undefined;

  /** Those that wait for a call, the one that was used last first. */
  function idle(key?: string): Entry[] {
    const waiting = [...entries.values()].filter((entry) => entry.place === "idle");
    return waiting.filter((entry) => key === undefined || entry.key === key).sort((a, b) => b.usedAt - a.usedAt);
  }

  async function take(request: SessionRequest): Promise<HostSession> {
    const key = await identityOf(request);
    const found = await find(key);
    if (closed) throw new StoppedError("The backend was closed."); // and ends what was found
    demand.note(key);
    clearTimeout(trimTimer);
    if (found) counts.reused++;
    const entry = found ?? start(key, request);
    entry.calls++;
    return entry.session;
  }

  /** One that waits, or else one that is about to. */
  async function find(key: string): Promise<Entry | undefined> {
    const [waiting] = idle(key);
    if (waiting) return wake(waiting);
    const returning = [...entries.values()].find(
      (entry) => entry.key === key && entry.place === "returning" && !entry.isAwaited,
    );
    if (!returning) return undefined;
    returning.isAwaited = true;
    return (await returning.returned) ? wake(returning) : find(key);
  }

  function wake(entry: Entry): Entry {
    clearTimeout(entry.idleTimer);
    entry.session.wake();
    return Object.assign(entry, { place: "busy", usedAt: ++counts.uses, isAwaited: false });
  }

  function start(key: string, request: SessionRequest): Entry {
    const tooMany = entries.size + 1 - limits.maxProcesses;
    if (tooMany > 0) void endAll(idle().slice(-tooMany));
    const session = open(request);
    const entry: Entry = {
      ...{ key, request, session, place: "busy", calls: 0, usedAt: ++counts.uses },
      ...{ isAwaited: false, isGone: false },
    };
    entries.set(session, entry);
    counts.started++;
    void session.gone.then(() => {
      entry.isGone = true;
      if (entry.place === "idle") void end(entry, 0);
    });
    return entry;
  }

  function rest(entry: Entry): void {
    entry.place = "idle";
    entry.session.rest();
    stay ??= whenNothingIsLeftToDo(() => endAll(idle()));
    entry.idleTimer = setTimeout(() => void end(entry, graceMs), limits.idleMs).unref();
    trimSoon();
  }

  function giveBack(session: HostSession): Promise<void> {
    const entry = entries.get(session);
    if (!entry) return session.close(0);
    entry.place = "returning";
    entry.returned = comeBack(entry);
    return Promise.resolve();
  }

  /** Makes a process ready for another call, or ends it where it is not fit for one. */
  async function comeBack(entry: Entry): Promise<boolean> {
    const { session } = entry;
    const isFit = mayServeAgain(entry) && (await session.rewind()) && (await isSmall(session)) && !entry.isGone;
    if (closed || !isFit || (!entry.isAwaited && entries.size > limits.maxProcesses)) {
      void replace(entry, graceMs);
      return false;
    }
    if (!entry.isAwaited) rest(entry);
    return true;
  }

  function mayServeAgain({ request: { spec }, calls }: Entry): boolean {
    if (closed || calls >= limits.maxCalls) return false;
    if (spec.history.length > 0) return false; // going back means to before the first message
    return spec.builtins.length === 0 && spec.maxCostUsd === undefined; // the host adds up the cost of its whole process
  }

  async function isSmall({ pid }: HostSession): Promise<boolean> {
    const bytes = pid === undefined ? undefined : await memoryOf(pid);
    return bytes === undefined || bytes <= limits.maxBytes;
  }

  /** Ends a process; then a new one waits in its place, where its kind is asked for again and again. */
  async function replace(entry: Entry, graceMs: number): Promise<void> {
    const { key, request } = entry;
    await end(entry, graceMs);
    setImmediate(() => {
      const isWanted = demand.isRepeated(key) && idle(key).length === 0;
      if (!closed && isWanted && entries.size < limits.maxProcesses) startAhead(key, request);
    });
  }

  function startAhead(key: string, request: SessionRequest): void {
    try {
      rest(start(key, request));
    } catch {
      // nobody has asked for it yet: the next call that does will be told why it cannot be started
    }
  }

  /** Once nothing is at work, one process is enough. */
  function trimSoon(): void {
    clearTimeout(trimTimer);
    if (entries.size < 2 || idle().length < entries.size) return;
    trimTimer = setTimeout(() => void endAll(idle().slice(1)), limits.trimMs).unref();
  }

  function end(entry: Entry, graceMs: number): Promise<void> {
    if (!entries.delete(entry.session)) return Promise.resolve(); // it is being ended already
    clearTimeout(entry.idleTimer);
    trimSoon();
    if (entries.size === 0) leave();
    const ending = entry.session.close(graceMs).finally(() => endings.delete(ending));
    endings.add(ending);
    return ending;
  }

  function leave(): void {
    stay?.();
    stay = undefined;
  }

  async function endAll(some: readonly Entry[]): Promise<void> {
    await Promise.all(some.map((entry) => end(entry, graceMs)));
  }

  return {
    take,
    giveBack,
    async end(session, next = "another") {
      const entry = entries.get(session);
      if (!entry) return session.close(0);
      await (next === "another" ? replace(entry, 0) : end(entry, 0));
    },
    state: () => ({ ...countPlaces(entries.values()), started: counts.started, reused: counts.reused }),
    async close() {
      closed = true;
      clearTimeout(trimTimer);
      await endAll([...entries.values()]);
      await Promise.all(endings);
    },
  };
}
