/** Measures the costs of bundles and transcripts, each in a separate process. */
import { execFileSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { openStore, type Store } from "@bridle/store-sqlite";
import type { Growth, MeasuredCost } from "./cost.ts";
import { draftsOf } from "./long-sessions.ts";

/** The number of events in one turn of `draftsOf`. */
const eventsOfTurn = 9;

const calls = [200, 2000, 20_000] as const;
const events = [3000, 30_000, 300_000] as const;

/** Lists the costs. `place` returns the folder with a name. */
export function bundleGrowths(place: (name: string) => string): readonly Growth[] {
  const folder = (size: number) => place(`events-${size}`);
  return [
    {
      name: "transcript of calls, as Markdown",
      unit: "ms",
      sizes: calls,
      cost: async (size) => measure("transcript", size),
    },
    { name: "bundle of events", unit: "ms", sizes: events, cost: async (size) => bundle(folder(size), size) },
    {
      name: "bundle --check of events",
      unit: "ms",
      sizes: events,
      cost: async (size) => {
        await bundle(folder(size), size);
        return measure("check", folder(size));
      },
    },
  ];
}

const bundles = new Map<string, MeasuredCost>();

/** Measures bundling a session of about this many events. The bundle stays in the folder. */
async function bundle(folder: string, size: number): Promise<MeasuredCost> {
  const known = bundles.get(folder);
  if (known) return known;
  const store = openStore({ folder });
  await writeEvents(store, size);
  await store.close();
  const cost = measure("bundle", folder);
  bundles.set(folder, cost);
  return cost;
}

/** Writes a session of about this many events. Only a few thousand are in memory at once. */
async function writeEvents(store: Store, size: number): Promise<void> {
  const writer = await store.openWriter({ sessionId: "long" });
  for (let turn = 1; turn <= size / eventsOfTurn; turn++) {
    for (const draft of draftsOf(turn)) writer.append(`run_${turn}`, draft);
    if (turn % 500 === 0) await writer.durable();
  }
  await writer.close();
}

/** The maximum heap size, in megabytes. With a larger heap, objects that are no longer used would determine the peak. */
const memory = 128;

function measure(work: string, word: string | number): MeasuredCost {
  const program = fileURLToPath(new URL("measure-bundles.ts", import.meta.url));
  const options = ["--conditions=@bridle/source", `--max-old-space-size=${memory}`];
  const output = execFileSync(process.execPath, [...options, program, work, String(word)]);
  return JSON.parse(output.toString("utf8"));
}
