import { existsSync } from "node:fs";
import { relative } from "node:path";
import { readTextFileSync } from "@bridle/core";
import { type ContextFolder, tableFilePath } from "../facts/context-folder.ts";
import { applyChange } from "./apply-change.ts";
import { requireInside, schemaOf } from "./change-files.ts";
import type { ChangeAuthor, FileChange } from "./file-change.ts";

/** The current text of a file, and its text after the changes. */
export interface PreviewedFile {
  /** The file's path, relative to the project. */
  readonly file: string;
  readonly before: string;
  readonly after: string;
}

/** A change with its author. */
export interface AuthoredChange {
  readonly change: FileChange;
  readonly author: ChangeAuthor;
}

/** Lists the files that the changes would modify. Writes nothing. Throws ConfigError if a file cannot be edited. */
export function previewChanges(
  changes: readonly AuthoredChange[],
  folder: Pick<ContextFolder, "projectDir">,
): readonly PreviewedFile[] {
  const files = new Map<string, PreviewedFile>();
  for (const { change, author } of changes) {
    const path = tableFilePath(folder, schemaOf(change));
    requireInside(path, folder.projectDir);
    const file = relative(folder.projectDir, path);
    const present = files.get(path)?.before ?? (existsSync(path) ? readTextFileSync(path) : "");
    const { text } = applyChange(files.get(path)?.after ?? present, file, change, author);
    files.set(path, { file, before: present, after: text });
  }
  return [...files.values()].filter(({ before, after }) => before !== after);
}
