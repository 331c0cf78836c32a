/**
 * A program and all processes that it starts, including those that leave its process group, for example with `setsid`, and those that
 * outlive their parent. They inherit a variable that identifies them in `/proc`.
 *
 * This works on Linux only: elsewhere a process's environment cannot be read reliably, and only the process group is ended. Processes that
 * a program starts with a cleared environment are not found.
 */
import { randomUUID } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";

export const familyVariable = "BRIDLE_FAMILY";

/** The maximum number of searches. A process that is found late may have started another in the meantime. */
const maxRounds = 20;

export class ProcessFamily {
  /** The value of the variable. Undefined if the system cannot show which processes have it. */
  readonly mark: string | undefined;

  constructor(platform: string = process.platform) {
    this.mark = platform === "linux" ? randomUUID() : undefined;
  }

  /** The variables to add to the program's environment. */
  get variables(): Readonly<Record<string, string>> {
    return this.mark === undefined ? {} : { [familyVariable]: this.mark };
  }

  /** Kills the processes of the family that are still running. */
  kill(): void {
    for (let round = 0; round < maxRounds; round++) {
      const members = this.#members();
      if (members.length === 0) return;
      for (const pid of members) killOne(pid);
    }
  }

  #members(): number[] {
    if (this.mark === undefined) return [];
    const entry = `${familyVariable}=${this.mark}`;
    const pids = readdirSync("/proc").filter((name) => /^\d+$/.test(name));
    return pids.filter((pid) => environmentOf(pid).includes(entry)).map(Number);
  }
}

/** Reads the entries of a process's environment. Empty for another user's process, and for a process that has ended. */
function environmentOf(pid: string): string[] {
  try {
    return readFileSync(`/proc/${pid}/environ`, "latin1").split("\0");
  } catch {
    return [];
  }
}

function killOne(pid: number): void {
  try {
    process.kill(pid, "SIGKILL");
  } catch {
    // the process has just ended
  }
}
