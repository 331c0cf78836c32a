import {
  ConfigError,
  type ConversationSpec,
  createUsageMeter,
  defaultPromptCaching,
  type HistoryMessage,
} from "@bridle/protocol";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { type PoolOptions, poolLimits } from "../pool-limits.ts";
import type { HostProcess } from "../process/host-process.ts";
import { Pool } from "./pool.ts";
import type { ProcessRequest } from "./process-source.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const spec: ConversationSpec = {
  model: "sonnet",
  system: { static: "", dynamic: "" },
  tools: [],
  builtins: [],
  stepBudget: 1,
  promptCaching: defaultPromptCaching,
  history: [],
  projectDir: "/",
};

/** Returns a call of the kind that `model` names. */
const call = (model: string, parts: Partial<ConversationSpec> = {}): ProcessRequest => ({
  spec: { ...spec, model, ...parts },
  auth: "session",
  environment: {},
  implicitSources: [],
});

/** A fake process that records its calls. Tests can set its answers. */
interface FakeProcess extends HostProcess {
  readonly model: string;
  readonly log: string[];
  rewound: Promise<boolean>;
  memory: number | undefined;
  die(): void;
}

function fakeProcess(model: string): FakeProcess {
  const gone = Promise.withResolvers<void>();
  const log: string[] = [];
  const process: FakeProcess = {
    model,
    log,
    hasResponded: false,
    meter: createUsageMeter(),
    pid: 1,
    gone: gone.promise,
    memory: 0,
    rewound: Promise.resolve(true),
    die: () => gone.resolve(),
    begin() {},
    rewind: () => process.rewound,
    async keepConversation() {
      log.push("keep");
      return process.rewound;
    },
    unref: () => void log.push("unref"),
    ref: () => void log.push("ref"),
    async close() {
      log.push("close");
      gone.resolve();
    },
  };
  return process;
}

function createTestPool(options: PoolOptions = {}) {
  const started: FakeProcess[] = [];
  const world = { isFull: false };
  const pool = new Pool(poolLimits(options), {
    open({ spec: { model } }) {
      if (world.isFull) throw new ConfigError("Nothing can be written.");
      const process = fakeProcess(model);
      started.push(process);
      return process;
    },
    identityOf: async (request) => request.spec.model,
    memoryOf: async () => started.find(({ memory }) => memory !== 0)?.memory,
  });
  const take = async (model: string, parts?: Partial<ConversationSpec>) =>
    started[started.indexOf((await pool.acquire(call(model, parts))).process as FakeProcess)] as FakeProcess;
  /** Serves a whole call that ends well, and returns its process. */
  async function serve(model: string, parts?: Partial<ConversationSpec>): Promise<FakeProcess> {
    const process = await take(model, parts);
    await pool.release(process);
    await settled();
    return process;
  }
  const alive = () => started.filter(({ log }) => !log.includes("close")).map(({ model }) => model);
  return { pool, started, world, take, serve, alive };
}

const settled = () => vi.advanceTimersByTimeAsync(1);

test("one process serves successive calls of a kind and is unreferenced between them", async () => {
  const { pool, serve, started } = createTestPool();
  for (let count = 0; count < 5; count++) await serve("a");
  expect(pool.state()).toEqual({ idle: 1, busy: 0, keys: 1, started: 1, reused: 4 });
  expect(started[0]?.log).toEqual(["unref", ...Array(4).fill(["ref", "unref"])].flat());
});

test("a process never serves a call of another kind, or two calls at a time", async () => {
  const { pool, take, serve } = createTestPool();
  const a = await serve("a");
  expect(await take("b")).not.toBe(a);
  expect(await take("a")).toBe(a);
  expect(await take("a")).not.toBe(a);
  expect(pool.state()).toMatchObject({ idle: 0, busy: 3, keys: 2, started: 3, reused: 1 });
});

test("a call waits for a process that is being prepared instead of starting another; a second call does not", async () => {
  const { pool, take, started } = createTestPool();
  const first = await take("a");
  const rewound = Promise.withResolvers<boolean>();
  first.rewound = rewound.promise;
  await pool.release(first);
  const [second, third] = [take("a"), take("a")];
  expect(await third).not.toBe(first);
  rewound.resolve(true);
  expect(await second).toBe(first);
  expect(started).toHaveLength(2);
});

test("if a process that a call waits for cannot serve again, the call gets another", async () => {
  const { pool, take } = createTestPool();
  const first = await take("a");
  const rewound = Promise.withResolvers<boolean>();
  first.rewound = rewound.promise;
  await pool.release(first);
  const second = take("a");
  await settled();
  rewound.resolve(false);
  expect(await second).not.toBe(first);
  expect(first.log).toContain("close");
});

test.each<[string, (session: FakeProcess) => void, Partial<ConversationSpec>]>([
  ["could not be rewound", (session) => Object.assign(session, { rewound: Promise.resolve(false) }), {}],
  ["uses too much memory", (session) => Object.assign(session, { memory: 2000 }), {}],
  ["opened tools of the host", () => {}, { builtins: ["Read"] }],
  ["had a cost budget, which the host counts over all calls", () => {}, { maxCostUsd: 1 }],
])("a process that %s serves no other call", async (_which, spoil, parts) => {
  const { take, pool } = createTestPool({ maxBytes: 1000 });
  const first = await take("a", parts);
  spoil(first);
  await pool.release(first);
  await settled();
  expect(first.log).toContain("close");
  expect(pool.state()).toMatchObject({ idle: 0, busy: 0 });
});

test("a process of unknown size is kept", async () => {
  const { take, pool } = createTestPool({ maxBytes: 1000 });
  const first = await take("a");
  first.memory = undefined;
  await pool.release(first);
  await settled();
  expect(pool.state()).toMatchObject({ idle: 1 });
});

test("after its maximum of calls a process is replaced by a new one", async () => {
  const { serve, started, alive } = createTestPool({ maxCalls: 3 });
  for (let count = 0; count < 3; count++) await serve("a");
  expect(started).toHaveLength(2);
  expect(started[1]?.log).toEqual(["unref"]);
  expect(alive()).toEqual(["a"]);
  expect(await serve("a")).toBe(started[1]);
});

test("a failed process is replaced by a new one if calls of its kind repeat", async () => {
  const { pool, take, serve, started } = createTestPool();
  await pool.end(await take("once"));
  await settled();
  expect(started).toHaveLength(1);
  await serve("often");
  const failed = await take("often");
  await pool.end(failed);
  await settled();
  expect(failed.log.at(-1)).toBe("close");
  expect(pool.state()).toMatchObject({ idle: 1, busy: 0, started: 3 });
  await pool.end(await take("often"), "none");
  await settled();
  expect(pool.state()).toMatchObject({ idle: 0, busy: 0, started: 3 });
});

test("if a process cannot be started ahead, the next call gets the error", async () => {
  const { pool, world, take, serve } = createTestPool();
  await serve("a");
  const failed = await take("a");
  world.isFull = true;
  await pool.end(failed);
  await settled();
  await expect(take("a")).rejects.toThrow("Nothing can be written");
  world.isFull = false;
  await serve("a");
  expect(pool.state()).toMatchObject({ idle: 1, busy: 0 });
});

test("the least recently used idle processes end when there are too many", async () => {
  const { serve, alive, take } = createTestPool({ maxProcesses: 3 });
  for (const kind of ["a", "b", "c", "a"]) await serve(kind);
  await take("d");
  expect(alive()).toEqual(["a", "c", "d"]);
  await take("e");
  expect(alive()).toEqual(["a", "d", "e"]);
});

test("more calls than maxProcesses are all served, and the excess processes are not kept", async () => {
  const { pool, take } = createTestPool({ maxProcesses: 2 });
  const sessions = await Promise.all(["a", "a", "a", "b"].map((kind) => take(kind)));
  expect(pool.state()).toMatchObject({ busy: 4, started: 4 });
  for (const session of sessions) await pool.release(session);
  await settled();
  expect(pool.state()).toMatchObject({ idle: 2, busy: 0 });
});

test("when no process is busy only the last used one is kept, and it ends after its idle time", async () => {
  const { pool, take, serve, alive } = createTestPool({ idleMs: 10_000 });
  const busy = await take("a");
  for (const kind of ["b", "c"]) await serve(kind);
  await vi.advanceTimersByTimeAsync(5000);
  expect(alive()).toEqual(["a", "b", "c"]);
  await pool.release(busy);
  await vi.advanceTimersByTimeAsync(1000);
  expect(alive()).toEqual(["a", "b", "c"]);
  await vi.advanceTimersByTimeAsync(1000);
  expect(alive()).toHaveLength(1);
  await vi.advanceTimersByTimeAsync(10_000);
  expect(alive()).toEqual([]);
  expect(pool.state()).toMatchObject({ idle: 0, busy: 0, keys: 0 });
});

test("an idle process ends after its idle time while others are busy", async () => {
  const { take, serve, alive } = createTestPool({ idleMs: 10_000 });
  await take("a");
  await serve("b");
  await vi.advanceTimersByTimeAsync(10_000);
  expect(alive()).toEqual(["a"]);
});

test("an idle process that dies is removed, and the next call gets another", async () => {
  const { pool, serve } = createTestPool();
  const first = await serve("a");
  first.die();
  await settled();
  expect(pool.state()).toMatchObject({ idle: 0, busy: 0 });
  expect(await serve("a")).not.toBe(first);
});

test("a process that dies while it is being prepared is not kept", async () => {
  const { pool, take } = createTestPool();
  const first = await take("a");
  const rewound = Promise.withResolvers<boolean>();
  first.rewound = rewound.promise;
  await pool.release(first);
  first.die();
  await settled();
  rewound.resolve(true);
  await settled();
  expect(pool.state()).toMatchObject({ idle: 0, busy: 0 });
});

test("closing ends idle, busy and returning processes, and none starts afterwards", async () => {
  const { pool, take, serve, alive, started } = createTestPool();
  await serve("idle");
  const busy = await take("busy");
  const returning = await take("returning");
  returning.rewound = new Promise(() => {});
  await pool.release(returning);
  await pool.close();
  expect(alive()).toEqual([]);
  await pool.release(busy);
  await expect(take("late")).rejects.toMatchObject({ code: "stopped" });
  await vi.advanceTimersByTimeAsync(100_000);
  expect(started).toHaveLength(3);
});

test("a call that waits for a process rejects when the pool is closed", async () => {
  const { pool, take } = createTestPool();
  const first = await take("a");
  const rewound = Promise.withResolvers<boolean>();
  first.rewound = rewound.promise;
  await pool.release(first);
  const refused = expect(take("a")).rejects.toMatchObject({ code: "stopped" });
  await settled();
  const closed = pool.close();
  rewound.resolve(true);
  await closed;
  await refused;
  expect(pool.state()).toMatchObject({ idle: 0, busy: 0 });
});

test("invalid limits are refused with their name", () => {
  for (const name of ["maxProcesses", "maxCalls", "idleMs", "maxBytes"]) {
    for (const value of [0, -1, 1.5, Number.NaN, Number.POSITIVE_INFINITY]) {
      expect(() => poolLimits({ [name]: value })).toThrow(`pool.${name} is ${value}`);
    }
  }
  expect(poolLimits({ idleMs: undefined } as unknown as PoolOptions)).toEqual(poolLimits());
});

const said = (text: string): HistoryMessage[] => [{ role: "assistant", content: [{ type: "text", text }] }];

/** Acquires a process for a session that continues `history`; `why` is the resumption. */
async function acquireFor(
  { pool }: ReturnType<typeof createTestPool>,
  session: string,
  history: readonly HistoryMessage[] = [],
) {
  const taken = await pool.acquire(call("a", { session, history }));
  return { ...taken, why: taken.resumption && `${taken.resumption.resumed}: ${taken.resumption.reason}` };
}

test("a process that holds a session serves one run that continues from there", async () => {
  const testPool = createTestPool();
  const first = await acquireFor(testPool, "s");
  await testPool.pool.release(first.process, said("One."));
  await settled();
  expect((await acquireFor(testPool, "other")).process).not.toBe(first.process);
  expect(await acquireFor(testPool, "other", said("Two."))).toMatchObject({ why: "rebuilt: not-retained" });
  const fork = await acquireFor(testPool, "fork", said("One."));
  expect(fork).toMatchObject({ process: first.process, why: "native: fingerprint-matched" });
  expect(await acquireFor(testPool, "s", said("One."))).toMatchObject({ why: "rebuilt: reassigned" });
  expect(testPool.started[0]?.log).toEqual(["keep", "unref", "ref"]);
});

test("a session with a changed history is rebuilt, and its process is rewound for other calls", async () => {
  const testPool = createTestPool();
  const first = await acquireFor(testPool, "s");
  await testPool.pool.release(first.process, said("One."));
  await settled();
  expect(await acquireFor(testPool, "s", said("Edited."))).toMatchObject({ why: "rebuilt: changed" });
  await settled();
  expect((await acquireFor(testPool, "new")).process).toBe(first.process);
});

test("processes that hold sessions outlive a trim, but not their idle time; releasing a session frees its process", async () => {
  const testPool = createTestPool();
  const open = await Promise.all(["s", "t", "u"].map((session) => acquireFor(testPool, session)));
  for (const [at, { process }] of open.entries()) await testPool.pool.release(process, said(String(at)));
  await vi.advanceTimersByTimeAsync(10_000);
  expect(testPool.pool.state()).toMatchObject({ idle: 4 }); // there is also a process for a new session
  await testPool.pool.releaseSession("s");
  await settled();
  expect((await acquireFor(testPool, "new")).process).toBe(open[0]?.process);
  await vi.advanceTimersByTimeAsync(60_000);
  expect(testPool.pool.state()).toMatchObject({ idle: 0, busy: 1 });
  expect(await acquireFor(testPool, "t", said("1"))).toMatchObject({ why: "rebuilt: expired" });
});

test("if a process cannot keep a conversation or dies, the session is rebuilt", async () => {
  const testPool = createTestPool();
  const first = await acquireFor(testPool, "s");
  for (const process of testPool.started) process.rewound = Promise.resolve(false);
  await testPool.pool.release(first.process, said("One."));
  await settled();
  const second = await acquireFor(testPool, "s", said("One."));
  expect(second.why).toBe("rebuilt: not-retained");
  await testPool.pool.release(second.process, said("Two."));
  await settled();
  testPool.started[1]?.die();
  await settled();
  expect(await acquireFor(testPool, "s", said("Two."))).toMatchObject({ why: "rebuilt: died" });
});
