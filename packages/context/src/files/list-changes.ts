import { type ContextFolder, changesFile } from "../facts/context-folder.ts";
import { type ListChangesOptions, type ListedChange, readChanges } from "./change-log.ts";

/** Lists the file changes that were made through Bridle, newest first. Only git shows changes that were made in an editor. */
export function listChanges(folder: Pick<ContextFolder, "stateDir">, options?: ListChangesOptions): ListedChange[] {
  return readChanges(changesFile(folder), options);
}
