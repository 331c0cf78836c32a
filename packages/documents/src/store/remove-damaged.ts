import { existsSync, rmSync } from "node:fs";
import { databaseFiles, isSqliteDamage } from "@bridle/core";
import { indexFile } from "./sqlite-file.ts";
import { DocumentStoreError } from "./store-errors.ts";

/** Removes the index file if it is damaged, so that it can be built again. Throws DocumentStoreError. */
export function removeDamagedSqlite(file: string): void {
  if (!existsSync(file) || isSound(file)) return;
  indexFile.explain(file, () => {
    for (const path of databaseFiles(file)) rmSync(path, { force: true });
  });
}

function isSound(file: string): boolean {
  try {
    const database = indexFile.open(file);
    try {
      const check = indexFile.explain(file, () => database.prepare("PRAGMA quick_check(1)").get());
      return check?.quick_check === "ok";
    } finally {
      database.close();
    }
  } catch (error) {
    if (error instanceof DocumentStoreError && isSqliteDamage(error.cause)) return false;
    throw error;
  }
}
