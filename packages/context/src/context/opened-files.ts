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
import type { DataFiles } from "./context-parts.ts";
import { checkChanges } from "./option-checks.ts";

export class OpenedFiles implements DataFiles {
  readonly #files: TableFiles;
  readonly #facts: FactsReader;
  readonly #options: OpenContextOptions;

  constructor(files: TableFiles, facts: FactsReader, options: OpenContextOptions) {
    this.#files = files;
    this.#facts = facts;
    this.#options = options;
  }

  get problems(): readonly ContextFileProblem[] {
    return this.#files.read().problems;
  }

  get unknownNotes(): readonly UnknownNote[] {
    return findUnknownNotes(this.#files.read(), this.#facts);
  }

  change(change: FileChange, author: ChangeAuthor): Promise<ChangeResult> {
    return changeTableFile(change, author, this.#options);
  }

  preview(changes: readonly AuthoredChange[]): readonly PreviewedFile[] {
    return previewChanges(changes, this.#options);
  }

  changes(options: ListChangesOptions = {}): ListedChange[] {
    checkChanges(options);
    return listChanges(this.#options, options);
  }
}
