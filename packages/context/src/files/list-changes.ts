import { type ContextFolder, changesFile } from "../facts/context-folder.ts";
import { type ListChangesOptions, type ListedChange, readChanges } from "./change-log.ts";

/** The changes of files that were made through Bridle, newest first. Changes in an editor are in git only. */
export function listChanges(folder: Pick<ContextFolder, "stateDir">, options?: ListChangesOptions): ListedChange[] {
  return readChanges(changesFile(folder), options);
}
