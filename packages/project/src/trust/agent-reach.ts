/** Finds the authors' files that an agent can change while it runs, and finds out whether the agent changed them. */
import { join, sep } from "node:path";
import { findRepository } from "@bridle/core";
import { fileContent, realPath } from "../effects/effect-values.ts";
import { type CodeState, changedCode, codeStateOf } from "./code-state.ts";
import type { TrustRecord } from "./trust-store.ts";

/** Lists the authors' files that an agent in one of the folders can probably reach: in them, around them, or in their repository. */
export function reachableFrom(folders: readonly string[], trusted: Readonly<Record<string, TrustRecord>>): string[] {
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

/** Records the code in the authors' folders, by folder, before an agent runs. */
export function codeOfAuthors(
  keys: readonly string[],
  trusted: Readonly<Record<string, TrustRecord>>,
): ReadonlyMap<string, CodeState | undefined> {
  const folders = new Set(keys.flatMap((key) => trusted[key]?.author?.folder ?? []));
  return new Map([...folders].map((folder) => [folder, codeStateOf(folder)]));
}

/**
 * Whether the files that an unused agent loaded are unchanged since they were trusted. It is unknown which files the agent would load now,
 * so other code in the author's folder counts as well if it is new or different.
 */
export function isUntouched(
  trusted: TrustRecord | undefined,
  before: ReadonlyMap<string, CodeState | undefined>,
): boolean {
  if (trusted?.author === undefined) return true;
  const known = trusted.effects.flatMap(({ loaded }) => Object.entries(loaded?.files ?? {}));
  const paths = new Set(known.map(([path]) => path));
  const { folder } = trusted.author;
  const [then, now] = [before.get(folder), codeStateOf(folder)];
  if (then === undefined || now === undefined) return false;
  return (
    known.every(([path, hash]) => fileContent(path) === hash) && changedCode(then, now).every((path) => paths.has(path))
  );
}

function tryTo<T>(work: () => T): T | undefined {
  try {
    return work();
  } catch {
    return undefined;
  }
}

/** Returns the working directory of the process, if it still exists. */
export function workingFolder(): readonly string[] {
  const folder = tryTo(() => process.cwd());
  return folder === undefined ? [] : [folder];
}
