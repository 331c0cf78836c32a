import { mkdtempSync, rmSync } from "node:fs";
import { constants, tmpdir } from "node:os";
import { join } from "node:path";
import { endProcesses } from "./run-process.ts";

/** Creates a temporary folder that is removed when this process ends, even by a signal. The benchmarks' processes are ended first. */
export function createBenchFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "bridle-bench-"));
  process.on("exit", () => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }));
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) {
    process.once(signal, () => void endProcesses().finally(() => process.exit(128 + constants.signals[signal])));
  }
  return folder;
}
