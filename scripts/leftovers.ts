import { readdirSync, readFileSync } from "node:fs";

/** The remaining files of a temporary folder, and the running processes that have its path in their environment. */
export function leftoversOf(folder: string): string[] {
  return [...readdirSync(folder).map((name) => `file ${name}`), ...processesThatKnow(folder)];
}

/** Processes whose environment names a folder. Empty on every system but Linux, because the others do not show environments. */
function processesThatKnow(folder: string): string[] {
  if (process.platform !== "linux") return [];
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid)
    .flatMap((pid) => {
      try {
        if (!readFileSync(`/proc/${pid}/environ`, "utf8").includes(folder)) return [];
        return [`process ${pid}: ${readFileSync(`/proc/${pid}/cmdline`, "utf8").replaceAll("\0", " ").slice(0, 200)}`];
      } catch {
        return []; // the process has ended, or belongs to another user
      }
    });
}
