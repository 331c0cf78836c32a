import { isPlainObject } from "@bridle/protocol";
import type { JoinEnd } from "../facts/facts.ts";
import { formatColumnId } from "../facts/identifiers.ts";
import { parseColumnId, parseTableId } from "../facts/parse-identifier.ts";
import type { ChangeAuthor, FileChange } from "./file-change.ts";
import { parseTableFile } from "./parse-table-file.ts";
import { type NoteSource, noteSources } from "./table-file-schema.ts";
import { joinKey, toJoinDecision } from "./table-notes.ts";
import { EditedDocument } from "./yaml/edit-document.ts";

export interface AppliedChange {
  /** The text of the file after the change, or the old text if nothing changed. */
  readonly text: string;
  /** The previous value as one line; undefined without a previous value. */
  readonly before?: string | undefined;
  readonly after: string;
  /** Why nothing changed; undefined if the change was made. */
  readonly refusal?: string | undefined;
}

/** Makes one change in the text of a file. Pure. Throws a ConfigError with the position if the file cannot be edited. */
export function applyChange(text: string, file: string, change: FileChange, author: ChangeAuthor): AppliedChange {
  const edited = change.kind === "join" ? applyJoin(text, file, change, author) : applyNote(text, file, change, author);
  if (edited.refusal !== undefined) return edited;
  const isSame = edited.before === edited.after;
  return isSame ? { ...edited, text, refusal: "The file contains this already." } : edited;
}

type NoteChange = Exclude<FileChange, { kind: "join" }>;

function applyNote(text: string, file: string, change: NoteChange, author: ChangeAuthor): AppliedChange {
  const document = new EditedDocument(text, file);
  const path = [...notePath(change.subject), change.kind];
  const old = document.get(path);
  const value = noteValue(change, author.source);
  const [before, after] = [old === undefined ? undefined : JSON.stringify(old), JSON.stringify(value) ?? "removed"];
  const present = change.kind === "description" && old !== undefined ? sourceOf(old) : undefined;
  if (present !== undefined && isWeaker(author.source, present)) {
    return { text, before, after, refusal: `The description of ${change.subject} is a ${present}'s, and stays.` };
  }
  if (before !== after) document.set(path, value);
  return { text: before === after ? text : document.toString(), before, after };
}

function noteValue(change: NoteChange, source: NoteSource): unknown {
  if (change.kind === "sensitive") return true;
  if (change.kind === "hidden") return change.hidden || undefined;
  const { text, from } = change;
  if (source === "person" && from === undefined) return text;
  return from === undefined ? { text, source } : { text, source, from };
}

/** Returns the path of the notes about a table or column. */
export function notePath(subject: string): string[] {
  const column = parseColumnId(subject);
  if (column) return ["tables", column.table, "columns", column.column];
  return ["tables", parseTableId(subject)?.table ?? ""];
}

function sourceOf(description: unknown): NoteSource {
  const source = isPlainObject(description) ? description.source : undefined;
  return noteSources.find((each) => each === source) ?? "person";
}

function isWeaker(source: NoteSource, than: NoteSource): boolean {
  return noteSources.indexOf(source) > noteSources.indexOf(than);
}

type JoinChange = Extract<FileChange, { kind: "join" }>;

function applyJoin(text: string, file: string, change: JoinChange, author: ChangeAuthor): AppliedChange {
  const document = new EditedDocument(text, file);
  const index = document.list("joins").findIndex((entry) => isSameJoin(entry, change));
  const old = index < 0 ? undefined : document.list("joins")[index];
  const { status, relationship, condition } = change;
  const source = author.source === "person" ? undefined : author.source;
  const values = { status, relationship, condition, reason: author.reason, source };
  const entry = withoutMissing({ from: writeEnd(change.from), to: writeEnd(change.to), ...values });
  const [before, after] = [old === undefined ? undefined : JSON.stringify(old), JSON.stringify(entry)];
  const present = old === undefined ? undefined : sourceOf(old);
  if (present !== undefined && isWeaker(author.source, present)) {
    return { text, before, after, refusal: `A ${present} has decided about this join, which stays.` };
  }
  if (before === after) return { text, before, after };
  if (index < 0) document.append("joins", entry);
  else document.setInEntry("joins", index, values);
  return { text: document.toString(), before, after };
}

/** Whether an entry of the file is about the join. False for entries with problems. */
export function isSameJoin(entry: unknown, change: Pick<JoinChange, "from" | "to">): boolean {
  const [note] = parseTableFile(JSON.stringify({ joins: [entry] }), "").value.joins ?? [];
  const decision = note === undefined ? "" : toJoinDecision(note);
  return typeof decision !== "string" && joinKey(decision) === joinKey(change);
}

/** Returns the columns of one side, in the form of the file. */
export function writeEnd({ table, columns }: JoinEnd): string | string[] {
  const path = parseTableId(table);
  const ids = path === undefined ? [] : columns.map((column) => formatColumnId({ ...path, column }));
  const [only, ...more] = ids;
  return only !== undefined && more.length === 0 ? only : ids;
}

function withoutMissing(values: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined));
}
