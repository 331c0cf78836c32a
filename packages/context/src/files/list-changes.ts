import { type ContextFolder, changesFile } from "../facts/context-folder.ts";
import { type ListChangesOptions, type ListedChange, readChanges } from "./change-log.ts";

/** Lists the file changes that were made through Bridle, newest first. Changes made in an editor are only in git. */
export function listChanges(folder: Pick<ContextFolder, "stateDir">, options?: ListChangesOptions): ListedChange[] {
  return readChanges(changesFile(folder), options);
}
