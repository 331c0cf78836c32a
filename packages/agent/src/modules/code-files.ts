/** The files of code in a folder. */
import { existsSync, readdirSync, statSync } from "node:fs";
import { homedir } from "node:os";
import { dirname, join } from "node:path";

/** Files that Node.js, Python or a shell runs. */
export function isCode(path: string): boolean {
  return /\.(?:[cm]?[jt]sx?|node|wasm|py|pyc|pyd|so|sh|bash)$/i.test(path);
}

export function isPythonCode(path: string): boolean {
  return /\.(?:py|pyc|pyd|so|pth)$/i.test(path);
}

/** Packages, which package managers write, and what git keeps. */
const skipped: ReadonlySet<string> = new Set(["node_modules", ".git", "site-packages", "__pycache__"]);

/** A folder with more cannot be known. It is not the folder of an agent. */
const maxFiles = 20_000;
const maxFolders = 50_000;

/** The file itself if it counts, or all files of a folder that count, without links to folders. */
export function codeFilesIn(path: string, counts: (path: string) => boolean): string[] {
  const stats = path.includes("\0") ? undefined : statSync(path, { throwIfNoEntry: false });
  if (stats?.isFile()) return counts(path) ? [path] : [];
  if (!stats?.isDirectory()) return [];
  const found: string[] = [];
  const folders = [path]; // the nearest ones first, and in the same order each time
  for (const [index, folder] of folders.entries()) {
    if (found.length >= maxFiles || index >= maxFolders) break;
    for (const entry of entriesOf(folder)) {
      const inner = join(folder, entry.name);
      if (entry.isDirectory()) {
        if (!skipped.has(entry.name)) folders.push(inner);
      } else if (counts(inner)) found.push(inner);
    }
  }
  return found;
}

function entriesOf(folder: string) {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    return [];
  }
}

const marks = [".git", "package.json", "bridle.yaml", "pyproject.toml"];

/**
 * The folder whose code a module may load by names that it computes: the outermost one with the mark of a project or a
 * repository, below the home of the user; if there is none, the module's own.
 */
export function rootOf(path: string): string {
  const own = dirname(path);
  let root = own;
  for (let folder = own; dirname(folder) !== folder && folder !== homedir(); folder = dirname(folder)) {
    if (marks.some((name) => existsSync(join(folder, name)))) root = folder;
  }
  return root;
}
