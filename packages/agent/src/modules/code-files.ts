/** The files of code in a folder. */
import { existsSync, readdirSync, statSync } from "node:fs";
import { homedir } from "node:os";
import { basename, dirname, join } from "node:path";

/** Files that Node.js, Python or a shell runs. */
export function isCode(path: string): boolean {
  return /\.(?:[cm]?[jt]sx?|node|wasm|py|pyc|pyd|so|sh|bash)$/i.test(path);
}

export function isPythonCode(path: string): boolean {
  return /\.(?:py|pyc|pyd|so|pth)$/i.test(path);
}

/** Files that no interpreter runs by itself. */
const documents =
  /\.(?:json|jsonc|jsonl|md|mdx|txt|rst|adoc|ya?ml|toml|ini|csv|tsv|xml|html?|css|scss|svg|png|jpe?g|gif|webp|ico|pdf|docx?|xlsx?|pptx?|db|sqlite3?|parquet|arrow|duckdb|wal|lock|log|map|snap|pem|key|crt|cert|pyc|zip|gz|tgz|tar|woff2?|ttf|mp[34]|wav)$/i;
const plainNames = /^(?:\..*|license|licence|notice|readme|changelog|authors|contributing|codeowners)$/i;

/** Files that a program may run: all except documents, including those without an ending or in other languages. */
export function isProgram(path: string): boolean {
  return isCode(path) || !(documents.test(path) || plainNames.test(basename(path)));
}

/** Folders of package managers, git and Bridle. */
const skipped: ReadonlySet<string> = new Set(["node_modules", ".git", ".bridle", "site-packages"]);

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
 * The folder of the files that a module may load by computed names: the outermost one with a marker of a project or a repository, below the
 * user's home folder. Without a marker, the module's own folder.
 */
export function rootOf(path: string): string {
  const own = dirname(path);
  let root = own;
  for (let folder = own; dirname(folder) !== folder && folder !== homedir(); folder = dirname(folder)) {
    if (marks.some((name) => existsSync(join(folder, name)))) root = folder;
  }
  return root;
}
