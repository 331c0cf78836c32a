/** Finds the code files in a folder. */
import { homedir } from "node:os";
import { basename, dirname, extname, join, sep } from "node:path";
import type { FolderView } from "./folder-view.ts";

/** Files that Node.js, Python or a shell runs. */
export function isCode(path: string): boolean {
  return /\.(?:[cm]?[jt]sx?|node|wasm|pyw?|pyc|pyd|so|sh|bash)$/i.test(path);
}

export function isPythonCode(path: string): boolean {
  return /\.(?:pyw?|pyc|pyd|so|pth)$/i.test(path);
}

/** Files that no interpreter runs by itself. */
const documents =
  /\.(?:json|jsonc|jsonl|md|mdx|txt|rst|adoc|ya?ml|toml|ini|csv|tsv|xml|html?|css|scss|svg|png|jpe?g|gif|webp|ico|pdf|docx?|xlsx?|pptx?|db|sqlite3?|parquet|arrow|duckdb|wal|lock|log|map|snap|pem|key|crt|cert|pyc|zip|gz|tgz|tar|woff2?|ttf|mp[34]|wav|pkl|pickle|np[yz]|tsbuildinfo)$/i;
const plainNames = /^(?:\..*|license|licence|notice|readme|changelog|authors|contributing|codeowners)$/i;

/** Whether a program may run the file: true for all files except documents, including files without an ending or in other languages. */
export function isProgram(path: string): boolean {
  return isCode(path) || !(documents.test(path) || plainNames.test(basename(path)));
}

/** Files without imports to parse: documents, programs in other languages, and files that Node.js loads without running them. */
const unparsed =
  /^\.(?:json|jsonc|node|wasm|md|txt|ya?ml|toml|csv|tsv|db|sqlite|html|css|svg|png|jpe?g|gif|pdf|sh|bash|rb|pl|php|go|rs|java|jar|lock|log|pem|key|pyc|pyd|so|zip|gz)$/i;

export type Language = "javascript" | "python";

/** Returns the language of a file, by its ending or its first line; undefined for other languages. `isSure` is false for a guess. */
export function languageOf(
  path: string,
  view: FolderView,
): { readonly language: Language; readonly isSure: boolean } | undefined {
  const ending = extname(path);
  if (/^\.pyw?$/.test(ending)) return { language: "python", isSure: true };
  if (/^\.[cm]?[jt]sx?$/.test(ending)) return { language: "javascript", isSure: true };
  if (unparsed.test(ending)) return undefined;
  const [, line] = /^#!(.*)/.exec(view.headOf(path).toString("latin1")) ?? [];
  if (line === undefined) return { language: "javascript", isSure: false };
  if (/\b(?:i?python|pypy|uvx?)/.test(line)) return { language: "python", isSure: true };
  return /\b(?:node|nodejs|bun|deno|tsx|ts-node|zx)\b/.test(line)
    ? { language: "javascript", isSure: true }
    : undefined;
}

/**
 * Whether Python compiled the file from a source that it checks again before it uses the file. Such files change although nobody edits
 * anything. Programs that Bridle starts do not read them.
 */
function isCompiled(path: string, view: FolderView): boolean {
  const [, name] = /^(.+?)\.[a-z]+-?\d+(?:\.opt-\w+)?\.pyc$/.exec(basename(path)) ?? [];
  const folder = dirname(path);
  if (name === undefined || basename(folder) !== "__pycache__") return false;
  const head = view.headOf(path);
  const flags = head.length < 8 ? 0 : head.readUInt32LE(4);
  const isUnchecked = (flags & 0b01) !== 0 && (flags & 0b10) === 0;
  return !isUnchecked && view.isFile(join(dirname(folder), `${name}.py`));
}

/** Folders of package managers, git and Bridle. */
const skipped: ReadonlySet<string> = new Set(["node_modules", ".git", ".bridle", "site-packages"]);

/** The most files that are looked at. A folder with more is not the folder of an agent. */
const maxFiles = 20_000;
const maxFolders = 50_000;

interface FoundCode {
  readonly files: readonly string[];
  /** The folder itself and all folders below it. */
  readonly folders: readonly string[];
  /** Whether the search looked at everything. */
  readonly isWhole: boolean;
}

/** Returns the file itself if it is wanted, or all wanted files of a folder. Links to folders are not followed. */
export function findCode(path: string, counts: (path: string) => boolean, view: FolderView): FoundCode {
  if (view.isFile(path)) return { files: counts(path) ? [path] : [], folders: [], isWhole: true };
  if (!view.isFolder(path)) return { files: [], folders: [], isWhole: true };
  const files: string[] = [];
  const folders = [path]; // the nearest files first, and always in the same order
  for (const [index, folder] of folders.entries()) {
    if (files.length >= maxFiles || index >= maxFolders) return { files, folders, isWhole: false };
    for (const entry of view.entriesOf(folder)) {
      const inner = join(folder, entry.name);
      if (!entry.isDirectory()) {
        if (counts(inner) && !isCompiled(inner, view)) files.push(inner);
      } else if (!skipped.has(entry.name)) folders.push(inner);
    }
  }
  return { files, folders, isWhole: true };
}

export function codeFilesIn(path: string, counts: (path: string) => boolean, view: FolderView): readonly string[] {
  return findCode(path, counts, view).files;
}

const marks = [".git", "package.json", "bridle.yaml", "pyproject.toml"];

/**
 * Returns the folder that contains the files which a module may load by computed names: the outermost folder with a marker of a project or
 * a repository, below the user's home folder. Without a marker, the module's own folder.
 */
export function rootOf(path: string, view: FolderView): string {
  const own = dirname(path);
  return view.remember("root", own, () => {
    let root = own;
    for (let folder = own; dirname(folder) !== folder && folder !== homedir(); folder = dirname(folder)) {
      if (marks.some((name) => view.exists(join(folder, name)))) root = folder;
    }
    return root;
  });
}

/** Lists a folder and those above it, up to the root. */
export function parentsBelow(folder: string, root: string): string[] {
  const parent = dirname(folder);
  return folder === root || parent === folder ? [folder] : [folder, ...parentsBelow(parent, root)];
}

export function isWithin(folder: string, outer: string): boolean {
  return folder === outer || folder.startsWith(outer.endsWith(sep) ? outer : outer + sep);
}
