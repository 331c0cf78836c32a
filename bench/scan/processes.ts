/** The CPU time and memory of processes, as Linux counts them in `/proc`. */
import { readdirSync, readFileSync } from "node:fs";

const ticksPerSecond = 100;

interface ProcessTimes {
  readonly pid: number;
  readonly parent: number;
  /** CPU seconds of the process itself, and of its children that have ended. */
  readonly own: number;
  readonly ended: number;
}

/** Returns the CPU seconds of a process and of all of its children. */
export function cpuSeconds(root: number): { readonly own: number; readonly children: number } {
  const all = readProcesses();
  const { own = 0, ended = 0 } = all.get(root) ?? {};
  const running = childrenOf(root, all).map((pid) => all.get(pid));
  return { own, children: running.reduce((sum, each) => sum + (each?.own ?? 0) + (each?.ended ?? 0), ended) };
}

/** Returns the memory of the process and of its children in bytes. Shared pages are counted once for each process. */
export function memoryBytes(root: number): { readonly own: number; readonly children: number } {
  const children = childrenOf(root, readProcesses());
  return { own: residentBytes(root), children: children.reduce((sum, pid) => sum + residentBytes(pid), 0) };
}

function readProcesses(): ReadonlyMap<number, ProcessTimes> {
  const pids = readdirSync("/proc").map(Number).filter(Number.isInteger);
  return new Map(pids.flatMap((pid) => readTimes(pid)).map((each) => [each.pid, each]));
}

function readTimes(pid: number): readonly ProcessTimes[] {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, "utf8");
    const fields = text.slice(text.lastIndexOf(")") + 2).split(" ");
    const seconds = (first: number, second: number) =>
      (Number(fields[first]) + Number(fields[second])) / ticksPerSecond;
    return [{ pid, parent: Number(fields[1]), own: seconds(11, 12), ended: seconds(13, 14) }];
  } catch {
    return []; // the process has ended
  }
}

function childrenOf(root: number, all: ReadonlyMap<number, ProcessTimes>): number[] {
  const own = [...all.values()].filter(({ parent }) => parent === root);
  return own.flatMap(({ pid }) => [pid, ...childrenOf(pid, all)]);
}

function residentBytes(pid: number): number {
  try {
    const [, kibibytes = "0"] = /^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, "utf8")) ?? [];
    return Number(kibibytes) * 1024;
  } catch {
    return 0;
  }
}
