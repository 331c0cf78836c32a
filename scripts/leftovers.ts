import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** Maximum number of paths that are listed for a leftover folder. */
const maxPaths = 5;

/** Lists the files that remain in a temporary folder, and the running processes that have its path in their environment. */
export function leftoversOf(folder: string): string[] {
  const files = readdirSync(folder, { withFileTypes: true }).map((each) => {
    if (!each.isDirectory()) return `file ${each.name}`;
    const paths = readdirSync(join(folder, each.name), { recursive: true }).slice(0, maxPaths);
    return `folder ${each.name} with ${paths.length === 0 ? "nothing in it" : paths.join(", ")}`;
  });
  return [...files, ...processesThatKnow(folder)];
}

/**
 * Lists processes with a folder in their environment. Returns an empty list except on Linux, because other systems do not show
 * environments.
 */
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
