/** Runs as a thread of a scanning process. Kills the process during a write, as soon as a database's log reaches a given size. */
import { statSync } from "node:fs";
import { parentPort, workerData } from "node:worker_threads";
import { z } from "zod";

const { file, bytes } = z.object({ file: z.string(), bytes: z.number() }).parse(workerData);
parentPort?.postMessage("ready");
while ((statSync(file, { throwIfNoEntry: false })?.size ?? 0) < bytes);
process.kill(process.pid, "SIGKILL");
