/**
 * The process that reads one SQLite file. SQLite has no way in Node.js to interrupt a statement, and a thread that is inside
 * one cannot be terminated, so the connection ends the whole process. A second thread ends it if it takes too much memory
 * or if the connection's process is gone.
 */
import { isMainThread, Worker } from "node:worker_threads";
import type { SqliteRequest } from "./messages.ts";
import { SqliteReader } from "./sqlite-reader.ts";

const checkEveryMs = 50;
const maxMemoryBytes = 1_000_000_000;

if (isMainThread) serve();
else watch();

function serve(): void {
  const watcher = new Worker(new URL(import.meta.url));
  watcher.on("error", () => process.exit(1)); // nothing is read without limits
  process.on("SIGINT", () => {}); // Ctrl-C in a terminal reaches both processes, and the other one decides
  process.on("disconnect", () => process.exit());
  const reader = new SqliteReader((reply) => new Promise((resolve) => process.send?.(reply, () => resolve())));
  process.on("message", (request: SqliteRequest) => reader.receive(request));
}

function watch(): void {
  const parent = process.ppid;
  setInterval(() => {
    if (process.memoryUsage.rss() > maxMemoryBytes || process.ppid !== parent) process.kill(process.pid, "SIGKILL");
  }, checkEveryMs);
}
