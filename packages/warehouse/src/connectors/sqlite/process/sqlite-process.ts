/**
 * Reads one SQLite file in a separate process. Node.js cannot interrupt a SQLite statement, and a thread that runs a statement cannot be
 * terminated, so the connection ends the whole process. A second thread ends this process if this process takes too much memory, or if the
 * connection's process is gone.
 */
import { isMainThread } from "node:worker_threads";
import { startWatch, watchProcess } from "../../../processes/watch-process.ts";
import type { SqliteRequest } from "./messages.ts";
import { SqliteReader } from "./sqlite-reader.ts";

const maxMemoryBytes = 1_000_000_000;

if (isMainThread) serve();
else watchProcess();

function serve(): void {
  startWatch(import.meta.url, maxMemoryBytes);
  const reader = new SqliteReader((reply) => new Promise((resolve) => process.send?.(reply, () => resolve())));
  process.on("message", (request: SqliteRequest) => reader.receive(request));
}
