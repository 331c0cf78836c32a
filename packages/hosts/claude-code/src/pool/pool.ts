/**
 * Keeps processes of the host for the calls to come. A call gets a process that was started for exactly what it asks
 * for, and that knows nothing of any other call; the next run of a session gets the one that holds what it goes on from.
 */
import { type HistoryMessage, type Resumption, StoppedError } from "@bridle/protocol";
import { type HostSession, openHostSession } from "../process/host-session.ts";
import { createDemand } from "./demand.ts";
import { countPlaces, type Entry, mayServeAgain, type PoolState } from "./entry.ts";
import { createIdentity, keyOf } from "./identity.ts";
import { createKept } from "./kept.ts";
import { whenNothingIsLeftToDo } from "./leave.ts";
import type { PoolLimits } from "./limits.ts";
import { residentMemoryOf } from "./resident-memory.ts";
import { graceMs, type SessionRequest, type Sessions, type Taken } from "./sessions.ts";

export interface Pool extends Sessions {
  state(): PoolState;
  /** Lets go of what is kept for a session. */
  leave(session: string): Promise<void>;
  /** Ends every process, and waits for it. */
  close(): Promise<void>;
}

/** What the pool needs of the world; tests bring their own. */
export interface PoolParts {
  open(request: SessionRequest): HostSession;
  /** The kind of process that it needs, whatever it goes on from. */
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
  const kept = createKept(entries);
  const counts = { started: 0, reused: 0, uses: 0 };
  let closed = false;
  let trimTimer: NodeJS.Timeout | undefined;
  let stay: (() => void) | undefined;

  /** Those that wait for a call, the one that was used last first. */
  function idle(key?: string): Entry[] {
    const waiting = [...entries.values()].filter((entry) => entry.place === "idle");
    return waiting.filter((entry) => key === undefined || entry.key === key).sort((a, b) => b.usedAt - a.usedAt);
  }

  async function take(request: SessionRequest): Promise<Taken> {
    const { spec } = request;
    const kind = await identityOf(request);
    const key = keyOf(kind, spec);
    const found = await find(key);
    if (closed) throw new StoppedError("The backend was closed."); // and ends what was found
    if (spec.session === undefined || spec.history.length === 0) demand.note(key); // a session comes by there once
    clearTimeout(trimTimer);
    const resumption = kept.explain(request, found);
    if (found) counts.reused++;
    const entry = Object.assign(found ?? start(kind, request), { owner: spec.session, isKept: false });
    entry.calls++;
    for (const left of kept.of(spec.session)) void letGo(left); // it is not where its session is any more
    return { session: entry.session, resumption };
  }

  async function letGo(entry: Entry): Promise<void> {
    await entry.returned;
    if (entry.isKept && entry.place === "idle") void giveBack(wake(entry).session);
    await entry.returned;
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

  function start(kind: string, request: SessionRequest): Entry {
    const tooMany = entries.size + 1 - limits.maxProcesses;
    if (tooMany > 0) void endAll(idle().slice(-tooMany));
    const session = open(request);
    const entry: Entry = {
      ...{ kind, key: keyOf(kind, request.spec), request, session, place: "busy", calls: 0, usedAt: ++counts.uses },
      ...{ owner: undefined, isKept: false, isAwaited: false, isGone: false },
    };
    entries.set(session, entry);
    counts.started++;
    void session.gone.then(() => {
      entry.isGone = true;
      if (entry.place === "idle") void end(entry, 0, "died");
    });
    return entry;
  }

  function rest(entry: Entry): void {
    entry.place = "idle";
    entry.session.rest();
    stay ??= whenNothingIsLeftToDo(() => endAll(idle()));
    entry.idleTimer = setTimeout(() => void end(entry, graceMs, "expired"), limits.idleMs).unref();
    trimSoon();
  }

  function giveBack(session: HostSession, held?: readonly HistoryMessage[]): Promise<void> {
    const entry = entries.get(session);
    if (!entry) return session.close(0);
    const { kind, owner, request } = entry;
    entry.key = keyOf(
      kind,
      held ? { history: held, ...(owner === undefined ? {} : { session: owner }) } : request.spec,
    );
    entry.isKept = held !== undefined;
    entry.place = "returning";
    entry.returned = comeBack(entry);
    return Promise.resolve();
  }

  /** Makes a process ready for another call, or ends it where it is not fit for one. */
  async function comeBack(entry: Entry): Promise<boolean> {
    const { session, isKept } = entry;
    const isReady = !closed && mayServeAgain(entry, limits) && (await (isKept ? session.keep() : session.rewind()));
    const isFit = isReady && (await isSmall(session)) && !entry.isGone;
    if (closed || !isFit || (!entry.isAwaited && entries.size > limits.maxProcesses)) {
      void replace(entry, graceMs);
      return false;
    }
    if (isKept) {
      kept.isThere(entry);
      startNext(entry);
    }
    if (!entry.isAwaited) rest(entry);
    return true;
  }

  async function isSmall({ pid }: HostSession): Promise<boolean> {
    const bytes = pid === undefined ? undefined : await memoryOf(pid);
    return bytes === undefined || bytes <= limits.maxBytes;
  }

  /** Ends a process; then a new one waits in its place, where its kind is asked for again and again. */
  async function replace(entry: Entry, graceMs: number): Promise<void> {
    await end(entry, graceMs);
    startNext(entry);
  }

  function startNext({ kind, request }: Entry): void {
    const key = keyOf(kind, request.spec);
    setImmediate(() => {
      const isWanted = demand.isRepeated(key) && idle(key).length === 0;
      if (!closed && isWanted && entries.size < limits.maxProcesses) startAhead(kind, request);
    });
  }

  function startAhead(kind: string, request: SessionRequest): void {
    try {
      rest(start(kind, request));
    } catch {
      // nobody has asked for it yet: the next call that does will be told why it cannot be started
    }
  }

  /** Once nothing is at work, one process is enough, beside those that hold a session. */
  function trimSoon(): void {
    clearTimeout(trimTimer);
    if (entries.size < 2 || idle().length < entries.size) return;
    const free = () => idle().filter(({ isKept }) => !isKept);
    trimTimer = setTimeout(() => void endAll(free().slice(1)), limits.trimMs).unref();
  }

  function end(entry: Entry, graceMs: number, reason: Resumption["reason"] = "not-kept"): Promise<void> {
    if (!entries.delete(entry.session)) return Promise.resolve(); // it is being ended already
    kept.isLost(entry, reason);
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
    await Promise.all(some.map((entry) => end(entry, graceMs, "made-room")));
  }

  return {
    take,
    giveBack,
    async end(session, next = "another") {
      const entry = entries.get(session);
      if (!entry) return session.close(0);
      await (next === "another" ? replace(entry, 0) : end(entry, 0));
    },
    async leave(session) {
      await Promise.all(kept.of(session).map(letGo));
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
