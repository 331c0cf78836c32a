/** Measures the server, and prints each figure next to its goal: `npm run bench -- server`. */
import { rmSync } from "node:fs";
import { loadavg } from "node:os";
import { measureCuts } from "./serving/cuts.ts";
import { measureBundles, measureSessionLists } from "./serving/large-logs.ts";
import { measureProcess } from "./serving/process.ts";
import { servingFolder } from "./serving/stage.ts";
import { measureOtherProcess, measureStalled, measureViewers } from "./serving/viewers.ts";

const measurements: Readonly<Record<string, () => Promise<void>>> = {
  start: measureProcess,
  viewer: () => measureViewers(1, "p95 150 ms at most"),
  viewers: () => measureViewers(100, "p99 250 ms at most"),
  "other-process": measureOtherProcess,
  stalled: measureStalled,
  cuts: measureCuts,
  sessions: measureSessionLists,
  bundles: measureBundles,
};

const only = process.argv.slice(2);
try {
  for (const [name, measure] of Object.entries(measurements)) {
    if (only.length > 0 && !only.includes(name)) continue;
    console.log(`\nLoad of the machine before "${name}": ${loadavg()[0]?.toFixed(1)}`); // other programs may be running
    await measure();
  }
} finally {
  rmSync(servingFolder, { recursive: true, force: true, maxRetries: 5 });
}
