import { readFileSync } from "node:fs";
import { systemErrorCode } from "@bridle/protocol";
import { readProgramSync } from "./programs/start-programs.ts";

/**
 * Reads the start time of a process, in the system's unit. Together with the pid, the time identifies a process forever. Returns undefined
 * if the process does not exist or is a zombie, or if the system does not report the time (Windows).
 */
export function readStartTime(pid: number): string | undefined {
  try {
    if (process.platform === "linux") return startTimeField(readFileSync(`/proc/${pid}/stat`, "utf8"));
    if (process.platform === "win32") return undefined;
    const line = readProgramSync("process-list", ["ps", ["-o", "lstart=", "-p", String(pid)]]);
    return line.replaceAll(/\s+/g, "_").replaceAll(/^_|_$/g, "") || undefined;
  } catch {
    return undefined;
  }
}

/**
 * Whether the process that had this pid and start time is still running. Both must match, because a pid may be reused. `null` means that
 * the system did not report the start time: any process with that pid then counts.
 */
export function isRunning(pid: number, startTime: string | null): boolean {
  return startTime === null ? answersSignals(pid) : readStartTime(pid) === startTime;
}

function answersSignals(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return systemErrorCode(error) === "EPERM";
  }
}

/** Returns field 22 of `/proc/PID/stat`, in clock ticks since boot. The name in field 2 may contain spaces and brackets. */
function startTimeField(stat: string): string | undefined {
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  return fields[0] === "Z" ? undefined : fields[19];
}
