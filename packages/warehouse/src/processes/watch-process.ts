import { Worker, workerData } from "node:worker_threads";

const checkEveryMs = 50;

/**
 * Starts a second thread with the program at `url`, which calls `watchProcess`. The thread ends the process if it exceeds its memory limit,
 * or if the process that started it is gone. The main thread cannot check this while it is inside a statement.
 */
export function startWatch(url: string, maxMemoryBytes: number): void {
  const watcher = new Worker(new URL(url), { workerData: maxMemoryBytes });
  watcher.on("error", () => process.exit(1)); // without the watch, nothing may be read
  process.on("SIGINT", () => {}); // Ctrl-C in a terminal reaches both processes, and the other process decides what to do
  process.on("disconnect", () => process.exit());
}

/** Watches the process of this thread. */
export function watchProcess(): void {
  const parent = process.ppid;
  const maxMemoryBytes = Number(workerData);
  setInterval(() => {
    if (process.memoryUsage.rss() > maxMemoryBytes || process.ppid !== parent) process.kill(process.pid, "SIGKILL");
  }, checkEveryMs);
}
