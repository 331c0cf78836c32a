/** Measures the page in a real browser, and prints each figure next to its goal: `npm run bench -- workbench`. */
import { rmSync } from "node:fs";
import { loadavg } from "node:os";
import { buildPage } from "../scripts/build-page.ts";
import { measureLoading } from "./page/loading.ts";
import { measureLongSessions, measureReplays } from "./page/long-sessions.ts";
import { measureTestMatrix } from "./page/test-matrix.ts";
import { measureTyping } from "./page/typing.ts";
import { servingFolder } from "./serving/stage.ts";

const measurements: Readonly<Record<string, (rounds: number) => Promise<void>>> = {
  loading: measureLoading,
  typing: measureTyping,
  sessions: measureLongSessions,
  replays: measureReplays,
  tests: measureTestMatrix,
};

const [rounds = "5", ...only] = process.argv.slice(2);
await buildPage();
try {
  for (const [name, measure] of Object.entries(measurements)) {
    if (only.length > 0 && !only.includes(name)) continue;
    console.log(`\nLoad of the machine before "${name}": ${loadavg()[0]?.toFixed(1)}`); // other programs may be running
    await measure(Number(rounds));
  }
} finally {
  rmSync(servingFolder, { recursive: true, force: true, maxRetries: 5 });
}
