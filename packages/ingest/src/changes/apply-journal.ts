/** What a process is about to write, on disk before it writes anything: another process finishes it if the first one dies. */
import { existsSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { type CommitPlan, type ContextFolder, ReplacedFile, splitBlocks } from "@bridle/context";
import { createPrivateFolder, readTextFileSync } from "@bridle/core";
import { z } from "zod";
import { formatWritten, hashOfWritten, parseWritten } from "../rendering/written-record.ts";

const section = z.record(z.string(), z.string());

const journalEntry = z.object({
  file: z.string(),
  /** Missing if there was no file. */
  before: z.string().optional(),
  /** Missing if the file is removed. */
  after: z.string().optional(),
  changes: z.array(
    z.object({ subject: z.string(), kind: z.string(), before: z.string().optional(), after: z.string() }),
  ),
  /** What the record of written entries says about the file. */
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
  /** Which files may be committed. Undefined if nothing is to be committed. */
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

  /** Undefined if nothing was left unfinished. A journal that cannot be read is removed: what it was about is planned again. */
  static read(place: Place): ApplyJournal | undefined {
    const path = pathOf(place);
    ReplacedFile.removeLeftovers(path);
    if (!existsSync(path)) return undefined;
    const parsed = journalSchema.safeParse(parseJson(readTextFileSync(path)));
    if (parsed.success) return new ApplyJournal(place, { commit: undefined, ...parsed.data });
    rmSync(path, { force: true });
    return undefined;
  }

  /** Throws ConfigError if it cannot be written. */
  write(): void {
    createPrivateFolder(dirname(this.#path));
    const file = new ReplacedFile(this.#path);
    try {
      file.replace(this.#text());
    } finally {
      file.forget();
    }
  }

  /** Another process may have finished it and written its own meanwhile. */
  remove(): void {
    const present = existsSync(this.#path) ? readTextFileSync(this.#path) : undefined;
    if (present === this.#text()) rmSync(this.#path, { force: true });
  }

  #text(): string {
    const { at, reason, entries, commit } = this;
    return JSON.stringify({ at, reason, entries, commit });
  }

  /**
   * The record for files that are not as the journal wants them: what was written in them before, unless they have something that only
   * the journal could have written and that a person has edited since.
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
