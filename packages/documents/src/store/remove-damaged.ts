import { existsSync, rmSync } from "node:fs";
import { explained, openSqliteFile } from "./sqlite-file.ts";
import { DamagedIndexError } from "./store-errors.ts";

/** Removes the index file if it is damaged, so that it can be built again. Throws DocumentStoreError. */
export function removeDamagedSqlite(file: string): void {
  if (!existsSync(file) || isSound(file)) return;
  explained(file, () => {
    for (const ending of ["", "-wal", "-shm"]) rmSync(`${file}${ending}`, { force: true });
  });
}

function isSound(file: string): boolean {
  try {
    const database = openSqliteFile(file);
    try {
      return explained(file, () => database.prepare("PRAGMA quick_check(1)").get()?.quick_check === "ok");
    } finally {
      database.close();
    }
  } catch (error) {
    if (error instanceof DamagedIndexError) return false;
    throw error;
  }
}
