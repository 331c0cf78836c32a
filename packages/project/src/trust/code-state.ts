/** Records the state of the code in a folder, without its content: enough to find out later whether files were written, moved or linked. */
import { type Dirent, lstatSync, readdirSync, type Stats, statSync } from "node:fs";
import { extname, join, sep } from "node:path";

/** Whether a file contains code. Other files, such as settings, can name programs, so that changing them is a new effect. */
export function isCodeFile(path: string): boolean {
  return /^\.(?:[cm]?[jt]sx?|py|sh|bash|rb)$/i.test(extname(path));
}

/** The folders of git and package managers. Changes in these folders are never an author's edits. */
const foreignFolders: readonly string[] = ["node_modules", "site-packages", ".git"];

/** Finds the folder in a path whose content is not the author's; undefined if there is none. */
export function foreignFolderIn(path: string): string | undefined {
  return path.split(sep).find((name) => foreignFolders.includes(name));
}

/** A string for each code file. The string changes when the file is written, moved or replaced. */
export type CodeState = ReadonlyMap<string, string>;

/** The maximum number of folders to search. A folder with more is not the folder of an agent. */
const maxFolders = 50_000;

/** Records the code in a folder and its subfolders; undefined if there are too many. */
export function codeStateOf(folder: string): CodeState | undefined {
  const state = new Map<string, string>();
  const folders = [folder];
  for (const [index, each] of folders.entries()) {
    if (index >= maxFolders) return undefined;
    for (const entry of readableEntries(each)) {
      const path = join(each, entry.name);
      if (entry.isDirectory()) {
        if (!foreignFolders.includes(entry.name)) folders.push(path);
      } else if (isCodeFile(path)) state.set(path, stateOf(path));
    }
  }
  return state;
}

/** Lists the code files that are new or different in the later state. */
export function changedCode(before: CodeState, now: CodeState): string[] {
  return [...now].filter(([path, state]) => before.get(path) !== state).map(([path]) => path);
}

/** Describes a file by more than its times, because the files of a folder that replaces another folder keep their times. */
function stateOf(path: string): string {
  const own = lstatSync(path, { throwIfNoEntry: false });
  const target = own?.isSymbolicLink() ? statSync(path, { throwIfNoEntry: false }) : undefined;
  return [own, target].map(textOf).join(" ");
}

function textOf(stats: Stats | undefined): string {
  return stats === undefined ? "-" : [stats.dev, stats.ino, stats.size, stats.mtimeMs, stats.ctimeMs].join(":");
}

/** Returns the entries of a folder. Empty if the folder cannot be read. */
export function readableEntries(folder: string): Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    return [];
  }
}
