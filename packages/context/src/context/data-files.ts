import type { FactsReader } from "../facts/facts.ts";
import { changeTableFile } from "../files/change-files.ts";
import type { ListChangesOptions, ListedChange } from "../files/change-log.ts";
import { findUnknownNotes, type UnknownNote } from "../files/check-notes.ts";
import type { ChangeAuthor, ChangeResult, FileChange } from "../files/file-change.ts";
import type { ContextFileProblem } from "../files/file-problem.ts";
import { listChanges } from "../files/list-changes.ts";
import { type AuthoredChange, type PreviewedFile, previewChanges } from "../files/preview-changes.ts";
import type { TableFiles } from "../files/table-files.ts";
import type { OpenContextOptions } from "./context-options.ts";
import { checkChanges } from "./option-checks.ts";

/** What people wrote about tables: the files of `context/tables`, and their changes. */
export class DataFiles {
  readonly #files: TableFiles;
  readonly #facts: FactsReader;
  readonly #options: OpenContextOptions;

  /** Use `files` of an opened context instead. */
  constructor(files: TableFiles, facts: FactsReader, options: OpenContextOptions) {
    this.#files = files;
    this.#facts = facts;
    this.#options = options;
  }

  /** The problems in the files. */
  get problems(): readonly ContextFileProblem[] {
    return this.#files.read().problems;
  }

  /** Tables and columns that the files name but no scan found. */
  get unknownNotes(): readonly UnknownNote[] {
    return findUnknownNotes(this.#files.read(), this.#facts);
  }

  /** Makes one change in a file. Rejects like `changeTableFile`. */
  change(change: FileChange, author: ChangeAuthor): Promise<ChangeResult> {
    return changeTableFile(change, author, this.#options);
  }

  /** Returns the files that the changes would modify. Writes nothing. Throws ConfigError if a file cannot be edited. */
  preview(changes: readonly AuthoredChange[]): readonly PreviewedFile[] {
    return previewChanges(changes, this.#options);
  }

  /** Lists the changes that were made through Bridle, newest first. */
  changes(options: ListChangesOptions = {}): ListedChange[] {
    checkChanges(options);
    return listChanges(this.#options, options);
  }
}
