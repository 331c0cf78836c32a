import { execFileSync } from "node:child_process";
import { readStartTime } from "@bridle/core";

/** Identifies one process permanently: a pid may be reused, but not together with the start time. */
export interface KnownProcess {
  readonly pid: number;
  readonly startTime: string;
  readonly command: string;
}

/** Reads the living children of a process. */
export function childrenOf(parent: number): KnownProcess[] {
  const lines = execFileSync("ps", ["-A", "-o", "pid=,ppid=,args="], { encoding: "utf8" }).trim().split("\n");
  return lines.flatMap((line) => {
    const [, pid, parentPid, command] = /^\s*(\d+)\s+(\d+)\s+(.*)$/.exec(line) ?? [];
    const startTime = Number(parentPid) === parent ? readStartTime(Number(pid)) : undefined;
    return startTime === undefined ? [] : [{ pid: Number(pid), startTime, command: command ?? "" }];
  });
}

export function stillThere(processes: readonly KnownProcess[]): KnownProcess[] {
  return processes.filter(({ pid, startTime }) => readStartTime(pid) === startTime);
}

/** Returns those of the processes that are hosts. */
export function hostsAmong(processes: readonly KnownProcess[]): KnownProcess[] {
  return processes.filter(({ command }) => command.includes("claude-agent-sdk"));
}
