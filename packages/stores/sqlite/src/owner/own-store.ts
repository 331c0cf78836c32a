/** Checks whether an event log on disk belongs to this user. A folder may come with an event log that somebody else created. */
import { statSync } from "node:fs";
import { join } from "node:path";
import { inTransaction, isSqliteDamage } from "@bridle/core";
import { StoreBusyError } from "@bridle/protocol";
import { withStoreErrors } from "../files/store-failures.ts";
import { storeFileName } from "../files/store-files.ts";
import { openForWriting, openMainFile, refuseLinkedFiles } from "./database.ts";
import { hasTag, writeTag } from "./owner-tag.ts";
import { areWritesSealed, looksDuringCreation, sealWrites, waitForNextLook } from "./write-ahead-seal.ts";

/** An event log and the key of the user who may own it. */
export interface StoreOwnership {
  /** The folder of the event log. */
  folder: string;
  ownerKey: Uint8Array | undefined;
}

/**
 * Whether the event log in a folder was created with this key or does not exist. Without a key, an existing event log is never the user's
 * own. Changes no file, and does not apply files next to the database.
 */
export function isOwnStore({ folder, ownerKey }: StoreOwnership): boolean {
  const file = join(folder, storeFileName);
  if ((statSync(file, { throwIfNoEntry: false })?.size ?? 0) === 0) return true; // SQLite drops the files next to an empty database
  if (ownerKey === undefined) return false;
  try {
    refuseLinkedFiles(file);
    return areWritesSealed(file, ownerKey) && isMarked(file, ownerKey);
  } catch {
    return false; // a file that cannot be read proves nothing
  }
}

/**
 * Marks an event log, including everything in it, as this user's.
 *
 * @throws StoreError
 */
export function adoptStore({ folder, ownerKey }: { folder: string; ownerKey: Uint8Array }): void {
  const file = join(folder, storeFileName);
  withStoreErrors(file, folder, () => {
    const database = openForWriting(folder, file);
    try {
      inTransaction(database, () => writeTag(database, ownerKey));
      const isBusy = Number(database.prepare("PRAGMA wal_checkpoint(TRUNCATE)").get()?.busy) !== 0;
      if (isBusy)
        throw new StoreBusyError(`The event log ${file} is in use. End the other process, and try again.`, file);
      sealWrites(file, ownerKey);
    } finally {
      database.close();
    }
  });
}

function isMarked(file: string, key: Uint8Array): boolean {
  for (let look = 1; ; look++) {
    try {
      return readMark(file, key);
    } catch (error) {
      if (!isSqliteDamage(error) || look === looksDuringCreation) throw error;
      waitForNextLook(); // another process has written only some of its pages
    }
  }
}

function readMark(file: string, key: Uint8Array): boolean {
  const database = openMainFile(file);
  try {
    return hasTag(database, key);
  } finally {
    database.close();
  }
}
