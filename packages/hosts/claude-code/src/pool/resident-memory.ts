import { readFile } from "node:fs/promises";
import { readProgram } from "@bridle/core";

/** Returns the resident memory of a process, in bytes. Undefined if the process has ended, and on Windows, where memory is not read. */
export async function residentMemoryOf(pid: number): Promise<number | undefined> {
  if (process.platform === "win32") return undefined;
  try {
    const text = process.platform === "linux" ? await readFile(`/proc/${pid}/status`, "utf8") : await ps(pid);
    const kilobytes = /^(?:VmRSS:)?\s*(\d+)/m.exec(text)?.[1];
    return kilobytes === undefined ? undefined : Number(kilobytes) * 1024;
  } catch {
    return undefined;
  }
}

function ps(pid: number): Promise<string> {
  return readProgram("process-list", ["ps", ["-o", "rss=", "-p", String(pid)]]);
}
