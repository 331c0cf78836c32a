/**
 * Prints how costs grow: the costs at N, 10 N and 100 N, and the growth exponent between the first and the last. Linear growth has the
 * exponent 1.
 */
import { join } from "node:path";
import { parseArgs } from "node:util";
import { openStore, type Store } from "@bridle/store-sqlite";
import { createBenchFolder } from "./bench-folder.ts";
import { bundleGrowths } from "./growth/bundle-costs.ts";
import { cpuOf, type Growth, type MeasuredCost } from "./growth/cost.ts";
import { documentGrowths } from "./growth/document-costs.ts";
import {
  bytesOfTurns,
  continueSession,
  eventsOfCalls,
  list,
  readCalls,
  readEvents,
  show,
  writeTurns,
} from "./growth/long-sessions.ts";
import { postgresGrowths } from "./growth/postgres-costs.ts";
import { textGrowths } from "./growth/text-costs.ts";

const { values } = parseArgs({
  options: {
    /** Measures only the costs whose names contain this string. Default: all. */
    only: { type: "string", default: "" },
  },
});
const folder = createBenchFolder();
const place = (name: string) => join(folder, name);
const postgres = postgresGrowths();
const growths = [
  ...sessionGrowths(),
  ...bundleGrowths(place),
  ...textGrowths(place),
  ...documentGrowths(place),
  ...postgres.growths,
];

console.log("\nCosts at N, 10 N and 100 N, and the exponent of their growth (linear: 1.00)");
for (const growth of growths.filter(({ name }) => name.includes(values.only))) await printGrowth(growth);
await postgres.close();

async function printGrowth({ name, unit, sizes, cost }: Growth): Promise<void> {
  const costs: Partial<MeasuredCost>[] = [];
  for (const size of sizes) costs.push(toCost(await cost(size)));
  const [first = 0, , last = 0] = costs.map(({ value }) => value ?? 0);
  const exponent = Math.log10(last / Math.max(first, 1)) / 2;
  const cells = costs.map(({ value = 0 }, index) => `${sizes[index]}: ${Math.round(value)} ${unit}`.padStart(20));
  const peaks = costs.flatMap(({ peakMegabytes }) => peakMegabytes ?? []).map((peak) => `${Math.round(peak)} MB`);
  const memory = peaks.length === 0 ? "" : `, peak memory ${peaks.join(", ")}`;
  console.log(`  ${name.padEnd(42)}${cells.join("")}   exponent ${exponent.toFixed(2)}${memory}`);
}

function toCost(cost: number | MeasuredCost): Partial<MeasuredCost> {
  return typeof cost === "number" ? { value: cost } : cost;
}

/** Lists the costs of long sessions and of many sessions on disk. */
function sessionGrowths(): readonly Growth[] {
  const turns = [300, 3000, 30_000] as const;
  const sessions = [1000, 10_000, 100_000] as const;
  const inTurns = onDisk("turns", (store, size) => writeTurns(store, "long", size));
  const inCompacted = onDisk("compacted", (store, size) => writeTurns(store, "long", size, 500));
  const inSessions = onDisk("sessions", async (store, size) => {
    for (let session = 0; session < size; session++) await writeTurns(store, `s${session}`, 1);
  });
  return [
    {
      name: "a session of turns of 8 kB on disk",
      unit: "kB",
      sizes: [4, 40, 400],
      cost: async (size) => (await bytesOfTurns(place(`bytes-${size}`), size)) / 1000,
    },
    { name: "transcript and history of calls", unit: "ms", sizes: [200, 2000, 20_000], cost: costOfCalls },
    { name: "sessions show", unit: "ms", sizes: turns, cost: inTurns((store) => show(store, "long")) },
    { name: "events of a session", unit: "ms", sizes: turns, cost: inTurns((store) => readEvents(store, "long")) },
    { name: "the next turn of a session", unit: "ms", sizes: turns, cost: secondOf(inTurns(continueLong)) },
    { name: "the next turn, compacted", unit: "ms", sizes: turns, cost: secondOf(inCompacted(continueLong)) },
    { name: "sessions list, newest 50", unit: "ms", sizes: sessions, cost: inSessions((store) => list(store, 51)) },
    { name: "sessions list --json, all", unit: "ms", sizes: sessions, cost: inSessions((store) => list(store)) },
    { name: "sessions list --last 1", unit: "ms", sizes: sessions, cost: inSessions((store) => list(store, 1)) },
  ];
}

function continueLong(store: Store): Promise<void> {
  return continueSession(store, "long", "And now?");
}

/** Runs the work twice and returns the second cost. The first run also stores a snapshot and the parts of the history. */
function secondOf(cost: Growth["cost"]): Growth["cost"] {
  return async (size) => {
    await cost(size);
    return cost(size);
  };
}

/**
 * Returns a function that measures work in an event log of this size, which is written once. The cost includes opening and closing the log.
 */
function onDisk(
  name: string,
  write: (store: Store, size: number) => Promise<void>,
): (work: (store: Store) => Promise<void>) => Growth["cost"] {
  const written = new Set<number>();
  const within = async (size: number, work: (store: Store) => Promise<void>) => {
    const store = openStore({ folder: place(`${name}-${size}`) });
    await work(store);
    await store.close();
  };
  return (work) => async (size) => {
    if (!written.has(size)) await within(size, (store) => write(store, size));
    written.add(size);
    return cpuOf(() => within(size, work));
  };
}

async function costOfCalls(size: number): Promise<number> {
  const events = eventsOfCalls(size);
  return cpuOf(async () => readCalls(events));
}
