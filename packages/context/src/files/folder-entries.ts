import { type Dirent, readdirSync, statSync } from "node:fs";
import { systemErrorCode } from "@bridle/protocol";

/** What is in a folder, by name. Nothing if there is no such folder. */
export function entriesOf(folder: string): Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true }).toSorted((a, b) => (a.name < b.name ? -1 : 1));
  } catch (error) {
    if (["ENOENT", "ENOTDIR"].includes(systemErrorCode(error))) return [];
    throw error;
  }
}

/** A text that differs after a change of the file. */
export function versionOfFile(path: string): string {
  const stats = statSync(path, { bigint: true, throwIfNoEntry: false });
  return stats === undefined ? "gone" : `${stats.ino} ${stats.size} ${stats.mtimeNs} ${stats.ctimeNs}`;
}
