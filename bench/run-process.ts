import { type ChildProcess, spawn } from "node:child_process";
import { setTimeout as sleep } from "node:timers/promises";

export interface ProcessEnd {
  /** On the clock of `performance.now()`. */
  readonly startedAt: number;
  readonly durationMs: number;
}

export interface ProcessPlace {
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string>>;
}

const running = new Set<ChildProcess>();
let isEnding = false;
/** Milliseconds that processes have for a clean end. */
const graceMs = 5000;

/** Runs this Node with arguments, from the spawn to the exit. Rejects with what was said when it ends badly. */
export function runNode(args: readonly string[], { cwd, env }: ProcessPlace = {}): Promise<ProcessEnd> {
  return new Promise((resolve, reject) => {
    const startedAt = performance.now();
    const child = spawn(process.execPath, args, {
      stdio: ["ignore", "ignore", "pipe"],
      detached: true, // a group of its own, that it can be ended with all that it has started
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
      if (isEnding) return; // nobody is told of a failure that was asked for
      if (code === 0) resolve({ startedAt, durationMs: performance.now() - startedAt });
      else reject(new Error(`node ${args.join(" ")} ended with ${code}: ${said}`));
    });
  });
}

/** Ends what `runNode` has started and what that has started in turn, and waits until all of it is gone. */
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

/** Whether there is anybody in the group. The signal 0 only asks. */
function signalGroup({ pid }: ChildProcess, signal: NodeJS.Signals | 0): boolean {
  try {
    return pid !== undefined && process.kill(-pid, signal);
  } catch {
    return false;
  }
}
