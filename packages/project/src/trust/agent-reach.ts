/** Which files of authors an agent can change while it runs, and whether it did. */
import { readdirSync, statSync } from "node:fs";
import { dirname, join, sep } from "node:path";
import { findRepository } from "@bridle/core";
import { fileContent, realPath } from "../effects/effect-values.ts";
import { isCodeFile } from "./own-edit.ts";
import type { TrustedFile } from "./trust-store.ts";

/** The files of authors that an agent in one of the folders can be expected to reach: in them, around them, or in their repository. */
export function reachableFrom(folders: readonly string[], trusted: Readonly<Record<string, TrustedFile>>): string[] {
  const roots = folders.map((folder) => {
    const real = realPath(folder);
    return findRepository(real)?.root ?? real;
  });
  return Object.entries(trusted).flatMap(([key, { author }]) => {
    if (author === undefined) return [];
    return roots.some((root) => isWithin(author.folder, root) || isWithin(root, author.folder)) ? [key] : [];
  });
}

function isWithin(path: string, folder: string): boolean {
  return path === folder || path.startsWith(join(folder, sep));
}

/**
 * Whether the files that an unused agent loaded are unchanged since they were trusted. It is unknown which files it would load now, so new
 * files in their folders count as changes.
 */
export function isUntouched(trusted: TrustedFile | undefined, since: number): boolean {
  const known = trusted?.effects.flatMap(({ loaded }) => Object.entries(loaded?.files ?? {})) ?? [];
  const folders = new Set(known.map(([path]) => dirname(path)));
  const paths = new Set(known.map(([path]) => path));
  const isSame = known.every(([path, hash]) => fileContent(path) === hash);
  return isSame && ![...folders].some((folder) => codeSince(folder, since).some((path) => !paths.has(path)));
}

/** The files of code in a folder that were created, renamed or changed since a time. */
function codeSince(folder: string, since: number): string[] {
  const paths = tryTo(() => readdirSync(folder)) ?? [];
  return paths
    .map((name) => join(folder, name))
    .filter((path) => isCodeFile(path) && (statSync(path, { throwIfNoEntry: false })?.ctimeMs ?? 0) >= since);
}

function tryTo<T>(work: () => T): T | undefined {
  try {
    return work();
  } catch {
    return undefined;
  }
}

/** The folder of the process, if it still exists. */
export function workingFolder(): readonly string[] {
  const folder = tryTo(() => process.cwd());
  return folder === undefined ? [] : [folder];
}
