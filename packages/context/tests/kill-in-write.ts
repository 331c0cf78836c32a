/** A thread of a scanning process. It kills the process when the log of a database reaches a size, in the middle of a write. */
import { statSync } from "node:fs";
import { parentPort, workerData } from "node:worker_threads";
import { z } from "zod";

const { file, bytes } = z.object({ file: z.string(), bytes: z.number() }).parse(workerData);
parentPort?.postMessage("ready");
while ((statSync(file, { throwIfNoEntry: false })?.size ?? 0) < bytes);
process.kill(process.pid, "SIGKILL");
