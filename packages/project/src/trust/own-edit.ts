/** Whether a change of a file is an edit of the folder's author. In doubt it is not, and the user is asked. */
import { existsSync, statSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { sha256 } from "@bridle/core";
import { isOutside, realPath } from "../effects/effect-values.ts";
import { foreignFolderIn, isCodeFile, readableEntries } from "./code-state.ts";
import { currentPlace, findArrival } from "./git-log.ts";
import { findOwnerFault } from "./owner.ts";
import type { Authored } from "./trust-store.ts";

/** The state to compare with later, to recognize edits by the author. */
export function authoredNow(folder: string): Authored {
  const real = realPath(folder);
  return { folder: real, place: currentPlace(real), packages: packagesOf(real) };
}

/** Why no change in the folder counts as an edit of its author, as a clause; undefined if one may. */
export function findForeignWork({ folder, place, packages }: Authored): string | undefined {
  return findArrival(folder, place) ?? (packagesOf(folder) === packages ? undefined : "packages were installed since");
}

/** Why a changed file is not one that the author writes, as a clause. */
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

/** Scripts of packages can write files when they are installed, even in a folder inside. */
function packagesOf(folder: string): string {
  const folders = [...parentsOf(folder), ...foldersIn(folder)];
  const marks = folders.flatMap((each) => packageFiles.flatMap((name) => markOf(join(each, name))));
  return sha256(marks.join("\n"));
}

/** The folder and those in it, the nearest first. Packages and hidden folders are left out. */
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

/** Nothing for a file that does not exist: a new folder without packages changes nothing. */
function markOf(path: string): string[] {
  const stats = statSync(path, { throwIfNoEntry: false });
  return stats === undefined ? [] : [`${path} ${stats.size} ${stats.mtimeMs}`];
}

function parentsOf(folder: string): string[] {
  const parent = dirname(folder);
  return parent === folder ? [] : [parent, ...parentsOf(parent)];
}
