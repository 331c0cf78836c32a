/**
 * The process that reads documents. Its main thread parses. A second thread ends the whole process if it uses too much memory or if no
 * caller waits any longer, because a parser may run for minutes.
 */
import { isMainThread, Worker, workerData } from "node:worker_threads";
import { DocumentError } from "../parse/document-error.ts";
import { prepareDocument } from "./prepare-document.ts";
import type { ReaderReply, ReaderRequest } from "./reader-messages.ts";

const checkEveryMs = 20;

if (isMainThread) serve();
else watch(workerData);

function serve(): void {
  const limit = new Float64Array(new SharedArrayBuffer(8));
  const watcher = new Worker(new URL(import.meta.url), { workerData: limit });
  watcher.on("error", () => process.exit(1)); // reads nothing without limits
  process.on("SIGINT", () => {}); // Ctrl-C in a terminal reaches both processes, and the other process decides what to do
  process.on("disconnect", () => process.exit());
  process.on("message", (request: ReaderRequest) => {
    limit[0] = request.memoryBytes;
    void replyTo(request).then((reply) => process.send?.(reply));
  });
}

async function replyTo(request: ReaderRequest): Promise<ReaderReply> {
  try {
    const prepared = await prepareDocument(request);
    return { prepared, residentBytes: process.memoryUsage.rss() };
  } catch (error) {
    if (error instanceof DocumentError) return { problem: error.problem, residentBytes: process.memoryUsage.rss() };
    throw error;
  }
}

function watch(limit: Float64Array): void {
  const parent = process.ppid;
  setInterval(() => {
    const isTooLarge = (limit[0] ?? 0) > 0 && process.memoryUsage.rss() > (limit[0] ?? 0);
    if (isTooLarge || process.ppid !== parent) process.kill(process.pid, "SIGKILL");
  }, checkEveryMs);
}
