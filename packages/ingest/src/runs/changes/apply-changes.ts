/** Writes a change set: each file completely or not at all. After a crash, the next call finishes the work. */
import { rmSync } from "node:fs";
import { join } from "node:path";
import {
  type ChangeFilesOptions,
  type CommitPlan,
  changesFile,
  type LockedChangeLog,
  planCommit,
  ReplacedFile,
  requireInside,
  withChangeLock,
} from "@bridle/context";
import { getErrorMessage, type TrustedFolder } from "@bridle/protocol";
import { decisionsFile } from "../../claims/decisions/decision-schema.ts";
import type { ChangeSet, PlannedFile } from "../../rendering/change-set.ts";
import { formatWritten, writtenFile } from "../../rendering/written-record.ts";
import { ApplyJournal, type JournalEntry } from "./apply-journal.ts";
import { finishCommit } from "./finish-commit.ts";
import { readIfThere } from "./read-project.ts";
import { sectionsOf, toRecord } from "./record-sections.ts";
import { requireWritableFile, writeWhole } from "./write-whole.ts";

export interface ApplyOptions extends ChangeFilesOptions {
  /** The reason for the list of changes and the commit, such as `ingest: notion`. */
  readonly reason: string;
  /** The author for the list of changes. Default: `ingest`. */
  readonly author?: string | undefined;
  /** Plans again if a file changed after it was planned. If missing, such a file stays unchanged. */
  readonly planAgain?: (() => Promise<ChangeSet>) | undefined;
  /** Called before each step. */
  readonly onStep?: ((step: string) => void) | undefined;
}

export interface AppliedChanges {
  /** The applied change set, which differs from the given one if files changed in the meantime. */
  readonly changeSet: ChangeSet;
  /** Files that were written or removed, relative to the project. */
  readonly files: readonly string[];
  /** Unchanged files, each with one sentence: reason, subject, remedy. */
  readonly failed: readonly { readonly file: string; readonly reason: string }[];
  readonly commit?: string | undefined;
  /** Why the changes were not committed although commits are configured. */
  readonly commitProblem?: string | undefined;
}

/** The maximum number of plans. A file that is edited continuously is left for the next run. */
const maxPlans = 3;

/**
 * Applies a change set, in one commit for all files if configured. Plans again if a file changed after it was planned. If a file cannot be
 * written, reports it and writes the others.
 *
 * @throws ConfigError if the journal cannot be written; in that case, nothing has changed.
 * @throws StoreBusyError if another process has been changing files for 30 seconds.
 */
export async function applyChanges(changeSet: ChangeSet, options: ApplyOptions): Promise<AppliedChanges> {
  const isFinished = await finishChanges(options);
  return withChangeLock(changesFile(options), (log) => new Application(options, log).run(changeSet, isFinished));
}

/** Finishes the changes of a process that died. Returns whether any were left. Rejects like `applyChanges`. */
export async function finishChanges(options: Omit<ApplyOptions, "reason" | "planAgain">): Promise<boolean> {
  if (!ApplyJournal.exists(options)) return false;
  return withChangeLock(changesFile(options), (log) => new Application({ ...options, reason: "" }, log).finish());
}

class Application {
  readonly #options: ApplyOptions;
  readonly #log: LockedChangeLog;
  readonly #failed: { readonly file: string; readonly reason: string }[] = [];

  constructor(options: ApplyOptions, log: LockedChangeLog) {
    this.#options = options;
    this.#log = log;
  }

  async run(given: ChangeSet, isFinished: boolean): Promise<AppliedChanges> {
    const changeSet = await this.#planAgain(given, isFinished);
    const files = changeSet.files.filter((file) => this.#isAsPlanned(file));
    const sections = sectionsOf(changeSet, files);
    if (files.length === 0 && formatWritten(sections) === (this.#read(writtenFile) ?? "")) {
      return { changeSet, files: [], failed: this.#failed };
    }
    const journal = await this.#begin(changeSet, files);
    for (const entry of journal.entries) this.#write(entry);
    const end = await this.#end(journal);
    return { changeSet, files: this.#done(journal).map(({ file }) => file), failed: this.#failed, ...end };
  }

  /** Finishes unfinished work, and returns whether there was any. Changes that cannot be written now are planned again. */
  async finish(): Promise<boolean> {
    const journal = ApplyJournal.read(this.#options);
    if (journal === undefined) return false;
    for (const entry of journal.entries) {
      ReplacedFile.removeLeftovers(join(this.#options.projectDir, entry.file));
      if (this.#read(entry.file) === entry.before) this.#write(entry);
    }
    await this.#end(journal);
    return true;
  }

  async #planAgain(given: ChangeSet, isFinished: boolean): Promise<ChangeSet> {
    let changeSet = given;
    const { planAgain } = this.#options;
    for (let plan = 1; planAgain !== undefined && plan < maxPlans; plan += 1) {
      if (!(isFinished && plan === 1) && !this.#isStale(changeSet)) return changeSet;
      changeSet = await planAgain();
    }
    return changeSet;
  }

  #isStale({ files, decisionsText, writtenText }: ChangeSet): boolean {
    if ((this.#read(decisionsFile) ?? "") !== decisionsText || (this.#read(writtenFile) ?? "") !== writtenText)
      return true;
    return files.some(({ file, before }) => this.#leadsOut(file) === undefined && this.#read(file) !== before);
  }

  /** Explains that a file must not be written because its path leads out of the project; undefined if it does not. */
  #leadsOut(file: string): string | undefined {
    try {
      requireInside(join(this.#options.projectDir, file), this.#options.projectDir);
      return undefined;
    } catch (error) {
      return getErrorMessage(error);
    }
  }

  #isAsPlanned({ file, before }: PlannedFile): boolean {
    const leadsOut = this.#leadsOut(file);
    if (leadsOut === undefined && this.#read(file) === before) return true;
    const isChanged = `${file} was changed by somebody else in the meantime, so it was not written. Run it again.`;
    this.#failed.push({ file, reason: leadsOut ?? isChanged });
    return false;
  }

  async #begin(changeSet: ChangeSet, files: readonly PlannedFile[]): Promise<ApplyJournal> {
    const { commit, reason, now } = this.#options;
    const record = formatWritten(sectionsOf(changeSet, files));
    const before = this.#read(writtenFile);
    const entries: JournalEntry[] = files.map(({ file, before: old, after, changes }) => {
      const sections = {
        before: toRecord(changeSet.writtenBefore.get(file)),
        after: toRecord(changeSet.written.get(file)),
      };
      return { file, before: old, after, changes: [...changes], sections };
    });
    const all =
      record === (before ?? "")
        ? entries
        : [...entries, { file: writtenFile, before, after: record || undefined, changes: [] }];
    const plan = commit === undefined ? undefined : await this.#planCommit(all, await commit());
    const journal = new ApplyJournal(this.#options, {
      at: (now?.() ?? new Date()).toISOString(),
      reason,
      entries: all,
      commit: plan,
    });
    this.#step("journal");
    journal.write();
    return journal;
  }

  #planCommit(entries: readonly JournalEntry[], trusted: TrustedFolder): Promise<CommitPlan> {
    const { projectDir, environment = process.env } = this.#options;
    return planCommit(
      entries.map(({ file }) => join(projectDir, file)),
      { projectDir, environment, trusted },
    );
  }

  #write({ file, after }: Pick<JournalEntry, "file" | "after">): void {
    this.#step(file);
    const path = join(this.#options.projectDir, file);
    try {
      requireInside(path, this.#options.projectDir);
      requireWritableFile(path, file);
      if (after === undefined) rmSync(path, { force: true });
      else writeWhole(path, after);
    } catch (error) {
      this.#failed.push({ file, reason: getErrorMessage(error) });
    }
  }

  /** Corrects the record if a file could not be written, commits, and lists the changes. */
  async #end(journal: ApplyJournal): Promise<Pick<AppliedChanges, "commit" | "commitProblem">> {
    this.#correctRecord(journal);
    this.#step("commit");
    const done = this.#done(journal);
    const end = await finishCommit(journal, done, this.#options);
    this.#step("list");
    this.#list(journal, done, end.commit);
    this.#step("end");
    if (!end.isOpen) journal.remove();
    return { commit: end.commit, commitProblem: end.problem };
  }

  /** Returns the entries whose files have the planned content. */
  #done({ entries }: ApplyJournal): readonly JournalEntry[] {
    return entries.filter(({ file, after }) => this.#read(file) === after);
  }

  /** Corrects the record of written entries, so that it lists only content that was written. */
  #correctRecord({ entries }: ApplyJournal): void {
    const record = entries.find(({ file }) => file === writtenFile);
    const open = entries.filter(({ file, after }) => file !== writtenFile && this.#read(file) !== after);
    if (open.length === 0) return;
    const current = this.#read(writtenFile);
    if (record !== undefined && current !== record.after && current !== record.before) return;
    const text = ApplyJournal.correctRecord(current ?? "", open, (file) => this.#read(file));
    if (text !== (current ?? "")) this.#write({ file: writtenFile, after: text || undefined });
  }

  #list(journal: ApplyJournal, done: readonly JournalEntry[], commit: string | undefined): void {
    const { at, reason } = journal;
    const open = done.filter(({ file }) => !this.#log.has(at, file));
    const changes = open.flatMap(({ file, changes: own }) =>
      own.map((change) => ({
        ...change,
        at,
        file,
        reason,
        author: this.#options.author ?? "ingest",
        source: "document" as const,
        ...(commit && { commit }),
      })),
    );
    if (changes.length > 0) this.#log.add(...changes);
  }

  #read(file: string): string | undefined {
    return readIfThere(this.#options.projectDir, file);
  }

  #step(step: string): void {
    this.#options.onStep?.(step);
  }
}
