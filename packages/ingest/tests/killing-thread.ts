/** Runs as a thread that kills its process during a write, when a file has reached a given size. */
import { statSync } from "node:fs";
import { parentPort, workerData } from "node:worker_threads";
import { z } from "zod";

const { file, bytes } = z.object({ file: z.string(), bytes: z.number() }).parse(workerData);
parentPort?.postMessage("ready");
while ((statSync(file, { throwIfNoEntry: false })?.size ?? 0) < bytes);
process.kill(process.pid, "SIGKILL");
