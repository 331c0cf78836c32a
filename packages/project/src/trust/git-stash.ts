/**
 * Finds the resets that `git stash` made. A stash resets the work tree to the current commit, so the log of HEAD contains the same entry as
 * for a reset that keeps the files of a merge. But a stash also creates a commit, which git keeps for a while after `git stash pop`.
 */
import { statSync } from "node:fs";
import { join } from "node:path";
import { inflateSync } from "node:zlib";
import { readRegularFileSync } from "@bridle/core";
import { readableEntries } from "./code-state.ts";

/** A reset in the log of HEAD. */
export interface Reset {
  /** The commit of HEAD before and after the reset. */
  readonly commit: string;
  /** The time in seconds since 1970. */
  readonly at: number;
}

/** The maximum time between the commit of a stash and its reset, in seconds. A longer time could include a reset by the user. */
const maxSeconds = 2;
const maxBytes = 100_000;

/**
 * Whether a stash made each of the resets. `earlier` resets may belong to a stash of the same time. `objects` is the folder of the
 * repository's objects.
 */
export function areStashes(resets: readonly Reset[], earlier: readonly Reset[], objects: string): boolean {
  const found = findStashes(resets, objects);
  const take = ({ commit, at }: Reset): boolean => {
    const index = found.findIndex((stash) => stash.commit === commit && Math.abs(stash.at - at) <= maxSeconds);
    if (index >= 0) found.splice(index, 1); // each stash has one reset
    return index >= 0;
  };
  for (const reset of earlier) take(reset);
  return resets.every(take);
}

/** Finds the stashes among the objects that were written at the time of a reset. Older objects may be packed; then the user is asked. */
function findStashes(resets: readonly Reset[], objects: string): Reset[] {
  const isNear = (path: string) => {
    const written = (statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0) / 1000;
    return resets.some(({ at }) => Math.abs(written - at) <= maxSeconds + 1); // the log has whole seconds
  };
  return readableEntries(objects)
    .filter((entry) => entry.isDirectory() && /^[0-9a-f]{2}$/.test(entry.name))
    .flatMap(({ name }) => readableEntries(join(objects, name)).map((entry) => join(objects, name, entry.name)))
    .filter(isNear)
    .flatMap((path) => readStash(path) ?? []);
}

/** Reads the commit that a stash is based on, and its time; undefined for other objects. */
function readStash(path: string): Reset | undefined {
  try {
    const text = inflateSync(readRegularFileSync(path, maxBytes), { maxOutputLength: maxBytes }).toString("utf8");
    const [, commit = "", at = ""] = stashPattern.exec(text) ?? [];
    return commit === "" ? undefined : { commit, at: Number(at) };
  } catch {
    return undefined; // a large object is not a stash commit
  }
}

const stashPattern =
  /^commit \d+\0tree [0-9a-f]+\nparent ([0-9a-f]+)\nparent [0-9a-f]+\n(?:parent [0-9a-f]+\n)?author [^\n]*\ncommitter [^\n]* (\d+) [+-]\d{4}\n\n(?:WIP on |On )/;
