import { type ChildProcess, spawn } from "node:child_process";
import { setTimeout as sleep } from "node:timers/promises";

export interface ProcessEnd {
  /** A time as `performance.now()` returns it. */
  readonly startedAt: number;
  readonly durationMs: number;
}

export interface ProcessPlace {
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string>>;
}

const running = new Set<ChildProcess>();
let isEnding = false;
/** How many milliseconds processes may take to end after SIGTERM. */
const graceMs = 5000;

/** Runs Node with arguments and measures it from spawn to exit. Rejects with Node's standard error if it fails. */
export function runNode(args: readonly string[], { cwd, env }: ProcessPlace = {}): Promise<ProcessEnd> {
  return new Promise((resolve, reject) => {
    const startedAt = performance.now();
    const child = spawn(process.execPath, args, {
      stdio: ["ignore", "ignore", "pipe"],
      detached: true, // a separate process group, so that the process's children can be ended with it
      ...(cwd !== undefined && { cwd }),
      ...(env !== undefined && { env }),
    });
    running.add(child);
    let said = "";
    child.stderr.setEncoding("utf8").on("data", (text: string) => {
      said += text;
    });
    child.on("error", reject);
    child.on("close", (code) => {
      running.delete(child);
      if (isEnding) return; // a process that this module ends has not failed
      if (code === 0) resolve({ startedAt, durationMs: performance.now() - startedAt });
      else reject(new Error(`node ${args.join(" ")} ended with ${code}: ${said}`));
    });
  });
}

/** Ends the processes that `runNode` started and their children, and waits until all have exited. */
export async function endProcesses(): Promise<void> {
  isEnding = true;
  const children = [...running];
  const until = performance.now() + graceMs;
  let left = children.filter((child) => signalGroup(child, "SIGTERM"));
  while (left.length > 0 && performance.now() < until) {
    await sleep(20);
    left = left.filter((child) => signalGroup(child, 0));
  }
  for (const child of left) signalGroup(child, "SIGKILL");
}

/** Sends a signal to a process group and returns whether the group exists. Signal 0 only checks whether the group exists. */
function signalGroup({ pid }: ChildProcess, signal: NodeJS.Signals | 0): boolean {
  try {
    return pid !== undefined && process.kill(-pid, signal);
  } catch {
    return false;
  }
}
