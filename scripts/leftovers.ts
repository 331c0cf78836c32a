import { readdirSync, readFileSync } from "node:fs";

/** What is still there of work that was given a temporary folder: its files, and processes that were told of it. */
export function leftoversOf(folder: string): string[] {
  return [...readdirSync(folder).map((name) => `file ${name}`), ...processesThatKnow(folder)];
}

/** Processes whose environment names a folder. None where the system does not show environments (all but Linux). */
function processesThatKnow(folder: string): string[] {
  if (process.platform !== "linux") return [];
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid)
    .flatMap((pid) => {
      try {
        if (!readFileSync(`/proc/${pid}/environ`, "utf8").includes(folder)) return [];
        return [`process ${pid}: ${readFileSync(`/proc/${pid}/cmdline`, "utf8").replaceAll("\0", " ").slice(0, 200)}`];
      } catch {
        return []; // it has gone, or is somebody else's
      }
    });
}
