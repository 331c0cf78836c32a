import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { setTimeout as sleep } from "node:timers/promises";
import { createMemoryBackend } from "@bridle/conformance";
import { createAgentRuntime, createMemoryEventLog } from "@bridle/core";
import { defineTool, type EventLog } from "@bridle/protocol";
import { openStore } from "@bridle/store-sqlite";
import { z } from "zod";
import type { Series } from "./statistics.ts";
import { printTable } from "./table.ts";

const concurrent = 200;
const runs = 600;
const toolMs = 5;

interface Round {
  readonly runsPerSecond: number;
  /** The longest time in milliseconds in which nothing else in the process could run. */
  readonly maxBlock: number;
  /** The longest transaction of the event log, in milliseconds, during which nothing else in the process can run. 0 in memory. */
  readonly maxWrite: number;
  /** CPU time in milliseconds, including other threads. */
  readonly cpuPerRun: number;
}

/** Starts runs side by side in one process, with the event log alternately in memory and on disk. */
export async function benchConcurrentRuns(rounds: number, folder: string): Promise<void> {
  const measured: Record<string, Round[]> = { "in memory": [], "on disk": [] };
  const store = openStore({ folder: join(folder, "concurrent-runs") });
  for (let round = 0; round <= rounds; round += 1) {
    const [memory, disk] = [await measure(createMemoryEventLog()), await measure(store)];
    if (round === 0) continue; // the first round only fills caches
    measured["in memory"]?.push(memory);
    measured["on disk"]?.push(disk);
  }
  await store.close();
  const series = (value: (round: Round) => number): Series[] =>
    Object.entries(measured).map(([name, values]) => ({ name, values: values.map(value) }));
  const title = `${runs} runs, ${concurrent} at a time, each with a tool of ${toolMs} ms that has effects`;
  const perSecond = series(({ runsPerSecond }) => runsPerSecond);
  printTable(title, perSecond, { unit: "runs/s", target: "a ratio of 0.90 at least" });
  const blocks = series(({ maxBlock }) => maxBlock);
  printTable("The longest time for which they block the event loop", blocks);
  const writes = series(({ maxWrite }) => maxWrite).slice(1);
  printTable("The longest time for which the log on disk blocks it", writes, { target: "50 ms at most" });
  printTable(
    "CPU time of one of them",
    series(({ cpuPerRun }) => cpuPerRun),
  );
}

async function measure(eventLog: EventLog): Promise<Round> {
  const runtime = createAgentRuntime({
    backend: createBackend(),
    models: { default: "m" },
    eventLog,
    limits: { maxConcurrency: concurrent },
  });
  const pay = defineTool({
    name: "pay",
    description: "Pays.",
    input: z.object({ amount: z.number() }),
    execute: ({ amount }) => sleep(toolMs, `Paid ${amount}.`),
  });
  const [block, write] = [watchLoop(), watchTransactions()];
  const cpu = process.cpuUsage();
  const startedAt = performance.now();
  let waiting = runs;
  await Promise.all(
    Array.from({ length: concurrent }, async (_, index) => {
      await sleep(index); // callers do not start at the same time
      for (; waiting > 0; ) {
        waiting -= 1;
        const { stopReason } = await runtime.runAgentLoop({ prompt: "Pay", tools: [pay], stepBudget: 4 }).result;
        if (stopReason !== "natural") throw new Error(`A run ended with ${stopReason}.`);
      }
    }),
  );
  const seconds = (performance.now() - startedAt) / 1000;
  const { user, system } = process.cpuUsage(cpu);
  const [maxBlock, maxWrite] = [block.stop(), write.stop()];
  await runtime.close();
  return { runsPerSecond: runs / seconds, maxBlock, maxWrite, cpuPerRun: (user + system) / 1000 / runs };
}

function createBackend() {
  return createMemoryBackend([
    { prompt: "Pay", steps: [{ calls: [{ tool: "pay", input: { amount: 5 } }] }, { say: "The bill is paid." }] },
  ]);
}

/** Reads the clock as often as the event loop allows, but at most once per millisecond. */
function watchLoop(): { stop(): number } {
  let [longest, last] = [0, performance.now()];
  const look = () => {
    const now = performance.now();
    longest = Math.max(longest, now - last - 1);
    last = now;
  };
  const timer = setInterval(look, 1);
  return {
    stop() {
      look();
      clearInterval(timer);
      return longest;
    },
  };
}

/** Measures how long transactions take, in every database of this thread. */
function watchTransactions(): { stop(): number } {
  const { exec } = DatabaseSync.prototype;
  let [longest, begunAt] = [0, 0];
  DatabaseSync.prototype.exec = function (sql) {
    if (sql.startsWith("BEGIN")) begunAt = performance.now();
    exec.call(this, sql);
    if (sql === "COMMIT") longest = Math.max(longest, performance.now() - begunAt);
  };
  return {
    stop() {
      DatabaseSync.prototype.exec = exec;
      return longest;
    },
  };
}
