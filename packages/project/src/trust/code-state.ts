/** The code in a folder, without its content: enough to find out whether somebody wrote, moved or linked some of it meanwhile. */
import { type Dirent, lstatSync, readdirSync, type Stats, statSync } from "node:fs";
import { extname, join, sep } from "node:path";

/** Files of code. Others, such as settings, can name programs, so a change of them is a new effect. */
export function isCodeFile(path: string): boolean {
  return /^\.(?:[cm]?[jt]sx?|py|sh|bash|rb)$/i.test(extname(path));
}

/** Folders of git and of package managers. Their content is never an author's edit. */
const foreignFolders: readonly string[] = ["node_modules", "site-packages", ".git"];

/** The folder in a path whose content is not the author's; undefined if there is none. */
export function foreignFolderIn(path: string): string | undefined {
  return path.split(sep).find((name) => foreignFolders.includes(name));
}

/** For each file of code, a text that differs once the file was written, moved or replaced. */
export type CodeState = ReadonlyMap<string, string>;

/** A folder with more is not looked through. It is not the folder of an agent. */
const maxFolders = 50_000;

/** The code in a folder and in the folders inside; undefined if there are too many. */
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

/** The files of code that are new or different in the later state. */
export function changedCode(before: CodeState, now: CodeState): string[] {
  return [...now].filter(([path, state]) => before.get(path) !== state).map(([path]) => path);
}

/** Times alone are not enough: the files of a folder that replaces another one keep theirs. */
function stateOf(path: string): string {
  const own = lstatSync(path, { throwIfNoEntry: false });
  const target = own?.isSymbolicLink() ? statSync(path, { throwIfNoEntry: false }) : undefined;
  return [own, target].map(textOf).join(" ");
}

function textOf(stats: Stats | undefined): string {
  return stats === undefined ? "-" : [stats.dev, stats.ino, stats.size, stats.mtimeMs, stats.ctimeMs].join(":");
}

/** The entries of a folder. Empty if it cannot be read. */
export function readableEntries(folder: string): Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    return [];
  }
}
