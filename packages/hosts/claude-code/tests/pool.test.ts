import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type AgentRuntime, defineTool, type LoopRequest } from "@bridle/protocol";
import { expect, onTestFinished, test } from "vitest";
import { z } from "zod";
import { sampleOf } from "../../../../tests/support/soak.ts";
import { childrenOf, hostsAmong, type KnownProcess, stillThere } from "./support/processes.ts";
import { type ScriptedContext, type Steps, startScript, startScriptTurns } from "./support/runs.ts";
import { modelRequests } from "./support/wire.ts";

const hosts = () => hostsAmong(childrenOf(process.pid));
const say = (text: string): Steps => [{ say: text }];

/** Generates a text in a pooled process, and returns that process. */
async function ask({ runtime, backend }: ScriptedContext, prompt = "Go"): Promise<KnownProcess> {
  const { text } = await runtime.generateText({ prompt });
  expect(text).toBe("Fine");
  await expect.poll(() => backend.pool()).toMatchObject({ busy: 0 });
  await expect.poll(() => backend.pool()?.idle, { timeout: 5000 }).toBeGreaterThan(0);
  const [host] = hosts();
  if (!host) throw new Error("no process waits");
  return host;
}

const tell = (size: number) =>
  defineTool({
    name: "tell",
    description: "Tells a lot.",
    input: z.object({}),
    execute: async () => "x".repeat(size),
  });

const loop = (runtime: AgentRuntime, request: Partial<LoopRequest>) =>
  runtime.runAgentLoop({ prompt: "Go", tools: [], stepBudget: 1, ...request }).result;

/** Reasons why a process ends with its call: for each one, the model's steps, and the end of the run. */
const ends: readonly [string, Steps, Partial<LoopRequest>, string][] = [
  ["opened a host tool", say("Fine"), { builtins: ["Read"] }, "natural"],
  ["had a cost budget", say("Fine"), { maxCostUsd: 1 }, "natural"],
  [
    "got another tool during its call",
    [{ call: "tell" }, { say: "Fine" }],
    { tools: [tell(100_000)], stepBudget: 2 },
    "natural",
  ],
  ["used up its steps", [{ call: "tell", forever: true }], { tools: [tell(1)] }, "budget"],
  [
    "used up its tokens",
    [{ call: "tell", forever: true }],
    { tools: [tell(1)], stepBudget: 5, maxTotalTokens: 1 },
    "budget",
  ],
  ["ran out of time", [{ say: "Well", stall: true }], { timeoutMs: 1500 }, "error"],
  ["was refused", [{ status: 400, message: "No." }], {}, "error"],
];

test.each(sampleOf(ends, 4))(
  "a process that %s ends with its call, and another serves the next",
  async (_which, steps, request, stopReason) => {
    const context = await startScript(steps);
    const before = new Set(hosts().map(({ pid }) => pid));
    const run = loop(context.runtime, request);
    await expect.poll(() => hosts().length, { timeout: 60_000 }).toBeGreaterThan(0);
    const used = hosts().filter(({ pid }) => !before.has(pid));
    expect(await run).toMatchObject({ stopReason });
    await expect.poll(() => stillThere(used), { timeout: 5000 }).toEqual([]);
    expect(context.backend.pool()).toMatchObject({ started: 1, reused: 0 });
    expect(await loop(context.runtime, request)).toMatchObject({ stopReason });
    await expect.poll(() => context.backend.pool()).toMatchObject({ reused: 0, busy: 0 });
  },
);

test("a process that got variables for tools serves only calls with the same variables", async () => {
  const { runtime, backend } = await startScript(say("Fine"));
  const ask = async (PGHOST?: string) => {
    await runtime.generateText({ prompt: "Go", ...(PGHOST && { environment: { PGHOST } }) });
    await expect.poll(() => backend.pool()).toMatchObject({ busy: 0 });
  };
  for (const name of ["one.example", "two.example", undefined]) await ask(name);
  expect(backend.pool()?.reused).toBe(0);
  await ask("two.example");
  expect(backend.pool()?.reused).toBe(1);
});

test("a process that served its maximum of calls ends, and another is already idle", async () => {
  const context = await startScript(say("Fine"), { pool: { maxCalls: 2 } });
  const first = await ask(context);
  expect(await ask(context)).not.toEqual(first);
  expect(stillThere([first])).toEqual([]);
  expect(context.backend.pool()).toMatchObject({ started: 2, reused: 1, idle: 1 });
});

test("a process that uses more memory than maxBytes ends", async () => {
  const { runtime, backend } = await startScript(say("Fine"), { pool: { maxBytes: 50_000_000 } });
  await runtime.generateText({ prompt: "Go" });
  await expect.poll(hosts, { timeout: 5000 }).toEqual([]);
  expect(backend.pool()).toMatchObject({ idle: 0, busy: 0, started: 1 });
});

test("a stopped run ends its process, and a late tool result is not in the next call", async () => {
  const late = Promise.withResolvers<string>();
  const started = Promise.withResolvers<void>();
  const stubborn = defineTool({
    name: "stubborn",
    description: "Does not stop.",
    input: z.object({}),
    execute() {
      started.resolve();
      return late.promise;
    },
  });
  const context = await startScriptTurns([
    { when: { user: "First" }, steps: [{ call: "stubborn" }] },
    { steps: [{ say: "Fine", delay_ms: 300 }] },
  ]);
  const request = { tools: [stubborn], stepBudget: 2 };
  const first = context.runtime.runAgentLoop({ prompt: "First", ...request });
  await started.promise;
  const used = hosts();
  first.stop();
  expect(await first.result).toMatchObject({ stopReason: "stopped" });
  const second = context.runtime.runAgentLoop({ prompt: "Second", ...request });
  late.resolve("the late word");
  const events: string[] = [];
  for await (const event of second) events.push(JSON.stringify(event));
  expect(await second.result).toMatchObject({ stopReason: "natural", text: "Fine" });
  expect(stillThere(used)).toEqual([]);
  expect(events.join()).not.toMatch(/late word|First/);
  expect(JSON.stringify(modelRequests(context.rehearsal.requests))).not.toContain("late word");
});

test("an idle process that is killed is replaced by the next call, even before the pool notices", async () => {
  const context = await startScript(say("Fine"));
  const first = await ask(context);
  process.kill(first.pid, "SIGKILL");
  const second = await ask(context);
  expect(second.pid).not.toBe(first.pid);
  process.kill(second.pid, "SIGKILL");
  await expect.poll(() => context.backend.pool()).toMatchObject({ idle: 0 });
  expect(stillThere([await ask(context)])).toHaveLength(1);
  expect(modelRequests(context.rehearsal.requests)).toHaveLength(3);
});

test("a process that is killed while it is busy fails only its own call", async () => {
  const context = await startScriptTurns([
    { when: { user: "Crash" }, steps: [{ say: "Well", stall: true }] },
    { steps: say("Fine") },
  ]);
  const waiting = await ask(context);
  const run = context.runtime.runAgentLoop({ prompt: "Crash", tools: [], stepBudget: 1 });
  for await (const { type } of run) {
    if (type === "text.delta") for (const { pid } of hosts()) process.kill(pid, "SIGKILL");
  }
  expect(await run.result).toMatchObject({ stopReason: "error", error: { code: "backend_crash" } });
  expect(stillThere([waiting])).toEqual([]);
  await ask(context);
});

test("the pool keeps all processes after parallel calls, then one, then none", async () => {
  const context = await startScript([{ say: "Fine", delay_ms: 300 }], { pool: { idleMs: 4000 } });
  const asked = Array.from({ length: 3 }, (_, call) => context.runtime.generateText({ prompt: `Go ${call}` }));
  await Promise.all(asked);
  await expect.poll(() => context.backend.pool()).toMatchObject({ idle: 3, busy: 0 });
  await expect.poll(() => hosts().length, { timeout: 3500 }).toBe(1);
  expect(context.backend.pool()).toMatchObject({ idle: 1, keys: 1 });
  await expect.poll(() => hosts().length, { timeout: 6000 }).toBe(0);
  expect(context.backend.pool()).toMatchObject({ idle: 0, keys: 0 });
  await ask(context);
});

test("without the pool each call starts a process and ends it", async () => {
  const { runtime, backend } = await startScript(say("Fine"), { pool: false });
  for (let call = 0; call < 2; call++) {
    await runtime.generateText({ prompt: "Go" });
    await expect.poll(hosts).toEqual([]);
  }
  expect(backend.pool()).toBeUndefined();
});

test("a check of the login leaves no idle process", async () => {
  const { runtime, backend } = await startScript(say("Fine"));
  expect(await runtime.checkAuth()).toMatchObject({ ok: true });
  await expect.poll(hosts).toEqual([]);
  expect(backend.pool()).toMatchObject({ started: 0 });
});

test("closing the runtime at any time leaves no process and no folder", async () => {
  const TMPDIR = await mkdtemp(join(tmpdir(), "bridle-pool-"));
  onTestFinished(() => rm(TMPDIR, { recursive: true }));
  for (const afterMs of sampleOf([0, 5, 20, 100, 300, 600, 800, 1000, 1200], 5)) {
    const { runtime } = await startScript([{ say: "Fine", forever: true }], { environment: { TMPDIR } });
    let isOpen = true;
    const worker = async (kind: string) => {
      while (isOpen) await runtime.generateText({ prompt: "Go", system: kind }).catch(() => (isOpen = false));
    };
    const workers = ["a", "a", "b"].map(worker);
    await new Promise((resolve) => setTimeout(resolve, afterMs));
    await runtime.close();
    isOpen = false;
    expect({ afterMs, hosts: hosts(), folders: await readdir(TMPDIR) }).toEqual({ afterMs, hosts: [], folders: [] });
    await Promise.all(workers);
    expect(hosts()).toEqual([]);
  }
});
