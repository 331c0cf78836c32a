/**
 * Determines whether a change of a file is an edit by the folder's author. A doubtful change does not count as one, and the user is asked.
 */
import { existsSync, statSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { sha256 } from "@bridle/core";
import { isOutside, realPath } from "../effects/effect-values.ts";
import { foreignFolderIn, isCodeFile, readableEntries } from "./code-state.ts";
import { currentPlace, findArrival } from "./git-log.ts";
import { findOwnerFault } from "./owner.ts";
import type { Authored } from "./trust-store.ts";

/** Records the state with which edits by the author can be recognized later. */
export function authoredNow(folder: string): Authored {
  const real = realPath(folder);
  return { folder: real, place: currentPlace(real), packages: packagesOf(real) };
}

/** Explains in a clause why no change in the folder counts as an edit by its author; undefined if changes may count. */
export function findForeignWork({ folder, place, packages }: Authored): string | undefined {
  return findArrival(folder, place) ?? (packagesOf(folder) === packages ? undefined : "packages were installed since");
}

/** Explains in a clause why a changed file is not one that the author writes. */
export function findForeignFile(path: string, { folder }: Authored): string | undefined {
  if (!isCodeFile(path)) return "it is not a file of code";
  const other = foreignFolderIn(path) ?? foreignFolderIn(realPath(path));
  if (other !== undefined) return `it is in ${other}`;
  if (isOutside(folder, path)) return "it is outside of your folder";
  const inner = foldersBetween(folder, dirname(realPath(path))).find((each) => existsSync(join(each, ".git")));
  if (inner !== undefined) return "it is in another repository";
  try {
    return findOwnerFault(path);
  } catch {
    return "it cannot be read";
  }
}

function foldersBetween(folder: string, inner: string): string[] {
  if (inner === folder || relative(folder, inner).startsWith("..") || dirname(inner) === inner) return [];
  return [inner, ...foldersBetween(folder, dirname(inner))];
}

const packageFiles = [
  "node_modules/.package-lock.json",
  "node_modules/.modules.yaml",
  "node_modules/.yarn-state.yml",
  "package-lock.json",
  "pnpm-lock.yaml",
  "yarn.lock",
  "bun.lock",
  "bun.lockb",
  "uv.lock",
  "poetry.lock",
];

const maxFolders = 1000;

/** Identifies the installed packages, because install scripts of packages can write files, even in subfolders. */
function packagesOf(folder: string): string {
  const folders = [...parentsOf(folder), ...foldersIn(folder)];
  const marks = folders.flatMap((each) => packageFiles.flatMap((name) => markOf(join(each, name))));
  return sha256(marks.join("\n"));
}

/** Lists the folder and its subfolders, the nearest first, without packages and hidden folders. */
function foldersIn(folder: string): string[] {
  const found = [folder];
  for (let at = 0; at < found.length && found.length < maxFolders; at += 1) {
    const current = found[at] ?? folder;
    for (const entry of readableEntries(current)) {
      if (entry.isDirectory() && entry.name !== "node_modules" && !entry.name.startsWith("."))
        found.push(join(current, entry.name));
    }
  }
  return found;
}

/** Identifies a version of a file. Nothing if the file does not exist, so that a new folder without packages makes no difference. */
function markOf(path: string): string[] {
  const stats = statSync(path, { throwIfNoEntry: false });
  return stats === undefined ? [] : [`${path} ${stats.size} ${stats.mtimeMs}`];
}

function parentsOf(folder: string): string[] {
  const parent = dirname(folder);
  return parent === folder ? [] : [parent, ...parentsOf(parent)];
}
