import { execFileSync } from "node:child_process";
import { setTimeout as sleep } from "node:timers/promises";
import { loadRawQuery } from "./peers.ts";
import { claudeCode, createStage } from "./stage.ts";
import { measureInTurns } from "./statistics.ts";
import { printTable } from "./table.ts";

/** A wait in milliseconds that is longer than a pool keeps idle processes. */
const settledMs = 4000;
const atOnce = 4;

/** Measures the memory of the processes that this process has started. */
export async function benchMemory(rounds: number, folder: string): Promise<void> {
  const stage = await createStage(folder);
  const raw = await loadRawQuery(stage.place);
  const runtime = await stage.createRuntime("warm", claudeCode(stage));
  const asked = { system: "Be brief.", prompt: "hello" };

  async function whileAsking(ask: () => Promise<unknown>): Promise<number> {
    const calls = Promise.all(Array.from({ length: atOnce }, ask));
    let max = 0;
    let over = false;
    void calls.finally(() => {
      over = true;
    });
    while (!over) {
      max = Math.max(max, childrenMegabytes());
      await sleep(20);
    }
    await calls;
    return max / atOnce;
  }

  const calls = await measureInTurns(rounds, {
    "raw query()": () => whileAsking(() => raw(asked.prompt)),
    "Bridle on claude-code": () => whileAsking(() => runtime.generateText(asked)),
  });
  printTable(`Memory of a call: the maximum while ${atOnce} are open, divided by their number`, calls, { unit: "MB" });

  const idle = await measureInTurns(Math.min(rounds, 3), {
    "Bridle, after calls": async () => {
      await Promise.all(Array.from({ length: atOnce }, () => runtime.generateText(asked)));
      await sleep(settledMs);
      return childrenMegabytes();
    },
  });
  printTable("Memory of an idle runtime's processes", idle, { unit: "MB" });
  await stage.close();
}

/** Returns the resident memory of all processes below this one, in megabytes. */
function childrenMegabytes(): number {
  const listing = execFileSync("ps", ["-A", "-o", "pid=,ppid=,rss=,comm="], { encoding: "utf8" });
  const rows = listing
    .trim()
    .split("\n")
    .map((line) => line.trim().split(/\s+/))
    .filter(([, , , name]) => name !== "ps")
    .map(([pid, parent, rss]) => ({ pid: Number(pid), parent: Number(parent), rss: Number(rss) }));
  const below = new Set([process.pid]);
  for (let grown = true; grown; ) {
    const found = rows.filter(({ pid, parent }) => below.has(parent) && !below.has(pid));
    for (const { pid } of found) below.add(pid);
    grown = found.length > 0;
  }
  return rows.filter(({ pid }) => pid !== process.pid && below.has(pid)).reduce((sum, { rss }) => sum + rss, 0) / 1024;
}
