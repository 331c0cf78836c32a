import { existsSync, realpathSync } from "node:fs";
import { dirname, relative, sep } from "node:path";
import { makeFolders, readTextFileSync } from "@bridle/core";
import { ConfigError, getErrorMessage, InvalidRequestError, preview, type TrustedFolder } from "@bridle/protocol";
import { type ContextFolder, changesFile, tableFilePath } from "../facts/context-folder.ts";
import { parseColumnId, parseTableId } from "../facts/parse-identifier.ts";
import { applyChange } from "./apply-change.ts";
import { type ListedChange, type LockedChangeLog, withChangeLock } from "./change-log.ts";
import type { ChangeAuthor, ChangeResult, FileChange } from "./file-change.ts";
import { commitFile } from "./git/commit-file.ts";
import { ReplacedFile } from "./replaced-file.ts";

export interface ChangeFilesOptions extends ContextFolder {
  /**
   * Returns the proof that the repository's programs, such as its hooks, may run. If set, each change is committed, without other files.
   * Contract: rejects if the folder is not trusted, so that the change is not made. Default: no commits.
   */
  readonly commit?: (() => Promise<TrustedFolder>) | undefined;
  /** The environment of git. Default: the environment of the process. */
  readonly environment?: Readonly<Record<string, string | undefined>> | undefined;
  readonly now?: (() => Date) | undefined;
}

/**
 * Makes one change in a file of `context/tables`. Keeps comments, order and unknown keys, and concurrent changes by other processes. If a
 * stronger source wrote the description or decision, keeps it and reports that in the result.
 *
 * @throws InvalidRequestError if the subject is not an identifier, or an agent or a model gives no reason.
 * @throws ConfigError with the position if the file cannot be edited, or is outside the project.
 * @throws StoreBusyError if another process has been changing files for 30 seconds.
 *
 * @example const { isApplied, message } = await changeTableFile( { kind: "description", subject: "warehouse.public.orders", text: "One row
 * for each order." }, { source: "model", name: "describe", reason: "The handbook says so." }, { projectDir, stateDir }, );
 */
export async function changeTableFile(
  change: FileChange,
  author: ChangeAuthor,
  options: ChangeFilesOptions,
): Promise<ChangeResult> {
  requireReason(author);
  const path = tableFilePath(options, schemaOf(change));
  return withChangeLock(changesFile(options), (log) => new FileEdit(path, change, author, options).run(log));
}

class FileEdit {
  readonly #path: string;
  readonly #file: string;
  readonly #change: FileChange;
  readonly #author: ChangeAuthor;
  readonly #options: ChangeFilesOptions;

  constructor(path: string, change: FileChange, author: ChangeAuthor, options: ChangeFilesOptions) {
    this.#path = path;
    this.#file = relative(options.projectDir, path);
    this.#change = change;
    this.#author = author;
    this.#options = options;
  }

  async run(log: LockedChangeLog): Promise<ChangeResult> {
    requireInside(this.#path, this.#options.projectDir);
    const present = existsSync(this.#path) ? readTextFileSync(this.#path) : undefined;
    const { text, before, after, refusal } = applyChange(present ?? "", this.#file, this.#change, this.#author);
    if (refusal !== undefined) return { isApplied: false, message: refusal, file: this.#file };
    const trusted = await this.#options.commit?.();
    makeFolders(dirname(this.#path), { isShared: true });
    const replaced = new ReplacedFile(this.#path);
    replaced.replace(text);
    try {
      const committed = await this.#commit(present, trusted);
      this.#list(log, { before, after, commit: committed.commit }, replaced);
      return { isApplied: true, file: this.#file, ...committed };
    } finally {
      replaced.forget();
    }
  }

  /** Lists the change. If that fails, undoes the change, unless it was committed. */
  #list(log: LockedChangeLog, values: Pick<ListedChange, "before" | "after" | "commit">, replaced: ReplacedFile): void {
    const { source, name = source, reason } = this.#author;
    const at = (this.#options.now?.() ?? new Date()).toISOString();
    const entry = { at, author: name, source, reason, file: this.#file, subject: subjectOf(this.#change) };
    try {
      log.add({ ...entry, kind: this.#change.kind, ...values });
    } catch (error) {
      if (values.commit === undefined) replaced.restore();
      throw error;
    }
  }

  async #commit(
    before: string | undefined,
    trusted: TrustedFolder | undefined,
  ): Promise<Pick<ChangeResult, "commit" | "commitProblem">> {
    const { projectDir, environment = process.env } = this.#options;
    if (trusted === undefined) return {};
    const subject = `Change ${this.#change.kind} of ${subjectOf(this.#change)}`;
    const message = this.#author.reason === undefined ? subject : `${subject}\n\n${this.#author.reason}`;
    try {
      return { commit: await commitFile({ projectDir, path: this.#path, before, message, environment, trusted }) };
    } catch (error) {
      return { commitProblem: getErrorMessage(error) };
    }
  }
}

function requireReason({ source, reason }: ChangeAuthor): void {
  if (source === "person" || (reason ?? "").trim() !== "") return;
  throw new InvalidRequestError("A change by an agent or a model needs a reason. Pass reason with one sentence.");
}

/** Returns the schema whose file a change edits. Throws InvalidRequestError if the subject is not an identifier. */
export function schemaOf(change: FileChange): { connection: string; schema: string } {
  const subject = change.kind === "join" ? change.from.table : change.subject;
  const path = parseColumnId(subject) ?? (change.kind === "sensitive" ? undefined : parseTableId(subject));
  if (path) return path;
  const form = change.kind === "sensitive" ? "connection.schema.table.column" : "connection.schema.table";
  throw new InvalidRequestError(`${preview(subject)} is not a valid identifier. Write ${form}.`);
}

/** Names the subject of a change: `a.b.c.x → d.e.f.y` for a join. */
function subjectOf(change: FileChange): string {
  if (change.kind !== "join") return change.subject;
  const [from, to] = [change.from, change.to].map(({ table, columns }) => `${table}(${columns.join(", ")})`);
  return `${from} → ${to}`;
}

/** Throws ConfigError if a path leads out of the project, for example through a link to another user's file. */
export function requireInside(path: string, projectDir: string): void {
  let existing = path;
  while (!existsSync(existing)) existing = dirname(existing);
  const root = realpathSync(projectDir);
  if (`${realpathSync(existing)}${sep}`.startsWith(`${root}${sep}`)) return;
  const file = relative(projectDir, path);
  throw new ConfigError(`${file} leads out of the project through a link. Remove the link.`, { position: { file } });
}
