import { type Dirent, readdirSync, realpathSync, statSync } from "node:fs";
import { sep } from "node:path";
import { readTextFileSync } from "@bridle/core";
import { getErrorMessage, systemErrorCode } from "@bridle/protocol";

/** Lists the entries of a folder, sorted by name. Empty if the folder does not exist. */
export function entriesOf(folder: string): Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true }).toSorted((a, b) => (a.name < b.name ? -1 : 1));
  } catch (error) {
    if (["ENOENT", "ENOTDIR"].includes(systemErrorCode(error))) return [];
    throw error;
  }
}

/**
 * Reads the text of a project's file. Throws an Error if the file cannot be read, or is a link out of the project: a project may come from
 * anybody, and such a link could lead to a private file.
 */
export function readOwnText(path: string, projectDir: string): string {
  if (!realpathSync(path).startsWith(`${realpathSync(projectDir)}${sep}`)) {
    throw new Error("it is a link that leads out of the project. Remove it.");
  }
  return readTextFileSync(path);
}

/**
 * Writes a sentence about a file that cannot be read, with one full stop: some reasons, such as those of `readOwnText`, already end with
 * one.
 */
export function describeUnreadable(file: string, cause: unknown): string {
  return `${file} cannot be read: ${getErrorMessage(cause).replace(/\.$/, "")}.`;
}

/** Returns a string that differs after a change of the file. */
export function versionOfFile(path: string): string {
  const stats = statSync(path, { bigint: true, throwIfNoEntry: false });
  return stats === undefined ? "gone" : `${stats.ino} ${stats.size} ${stats.mtimeNs} ${stats.ctimeNs}`;
}
