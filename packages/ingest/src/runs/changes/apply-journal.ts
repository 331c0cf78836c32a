/** Stores the planned writes of a process before it writes any file. If the process dies, another process finishes the work. */
import { existsSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { type CommitPlan, type ContextFolder, ReplacedFile, splitBlocks } from "@bridle/context";
import { createPrivateFolder, readTextFileSync } from "@bridle/core";
import { z } from "zod";
import { formatWritten, hashOfWritten, parseWritten } from "../../rendering/written-record.ts";

const section = z.record(z.string(), z.string());

const journalEntry = z.object({
  file: z.string(),
  /** The old text; missing if the file did not exist. */
  before: z.string().optional(),
  /** The new text; missing if the file is removed. */
  after: z.string().optional(),
  changes: z.array(
    z.object({ subject: z.string(), kind: z.string(), before: z.string().optional(), after: z.string() }),
  ),
  /** The entries for this file in the record of written entries. */
  sections: z.object({ before: section, after: section }).optional(),
});
export type JournalEntry = z.output<typeof journalEntry>;

const journalSchema = z.object({
  at: z.string(),
  reason: z.string(),
  entries: z.array(journalEntry),
  commit: z
    .object({
      paths: z.array(z.string()),
      tracked: z.array(z.string()),
      skipped: z.array(z.object({ path: z.string(), reason: z.string() })),
      problem: z.string().optional(),
    })
    .optional(),
});

type Place = Pick<ContextFolder, "stateDir">;

export class ApplyJournal {
  readonly at: string;
  readonly reason: string;
  readonly entries: readonly JournalEntry[];
  /** Which files may be committed. Undefined if no commit is wanted. */
  readonly commit: CommitPlan | undefined;
  readonly #path: string;

  constructor(
    place: Place,
    { at, reason, entries, commit }: Pick<ApplyJournal, "at" | "reason" | "entries" | "commit">,
  ) {
    this.#path = pathOf(place);
    this.at = at;
    this.reason = reason;
    this.entries = entries;
    this.commit = commit;
  }

  static exists(place: Place): boolean {
    return existsSync(pathOf(place));
  }

  /**
   * Reads the journal; undefined if no work is unfinished. Removes a journal that cannot be read, so that its changes are planned again.
   */
  static read(place: Place): ApplyJournal | undefined {
    const path = pathOf(place);
    ReplacedFile.removeLeftovers(path);
    if (!existsSync(path)) return undefined;
    const parsed = journalSchema.safeParse(parseJson(readTextFileSync(path)));
    if (parsed.success) return new ApplyJournal(place, { commit: undefined, ...parsed.data });
    rmSync(path, { force: true });
    return undefined;
  }

  /** Writes the journal. Throws ConfigError if that is not possible. */
  write(): void {
    createPrivateFolder(dirname(this.#path));
    const file = new ReplacedFile(this.#path);
    try {
      file.replace(this.#text());
    } finally {
      file.forget();
    }
  }

  /** Removes the journal, unless another process has finished its work and written a journal of its own since. */
  remove(): void {
    const present = existsSync(this.#path) ? readTextFileSync(this.#path) : undefined;
    if (present === this.#text()) rmSync(this.#path, { force: true });
  }

  #text(): string {
    const { at, reason, entries, commit } = this;
    return JSON.stringify({ at, reason, entries, commit });
  }

  /**
   * Corrects the record: files without the planned content get their previous entries. A file keeps the new entries if only this journal's
   * work can have written its content, even if a user has edited the file since.
   */
  static correctRecord(
    text: string,
    open: readonly JournalEntry[],
    read: (file: string) => string | undefined,
  ): string {
    const files = new Map(parseWritten(text).files);
    for (const { file, sections } of open) {
      if (sections === undefined) continue;
      const hashes = new Set(splitBlocks(read(file) ?? "").map((block) => hashOfWritten(block.text)));
      const old = new Set(Object.values(sections.before));
      const isNew = Object.values(sections.after).some((hash) => hashes.has(hash) && !old.has(hash));
      const entries = new Map(Object.entries(isNew ? sections.after : sections.before));
      if (entries.size === 0) files.delete(file);
      else files.set(file, entries);
    }
    return formatWritten(files);
  }
}

function pathOf({ stateDir }: Place): string {
  return join(stateDir, "context", "ingest-apply.json");
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
