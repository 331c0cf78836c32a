/** Plans the table files. Replaces or removes entries that ingest wrote, and keeps all other entries. Pure. */
import { formatColumnId, formatJoinEntry, type JoinEnds, parseTableId, TableFileEditor } from "@bridle/context";
import { getErrorMessage, isBridleError, isPlainObject } from "@bridle/protocol";
import type { Claim } from "../../claims/claim.ts";
import type { Decisions, RemovedThing } from "../../claims/decisions/decision-schema.ts";
import type { PlanNote, PlannedEntry, PlannedFile, PlannedPart } from "../change-set.ts";
import { hashOfWritten, type WrittenEntries, type WrittenRecord } from "../written-record.ts";
import { type RenderedDescription, type RenderedJoin, renderTables, toEnd } from "./render-tables.ts";

export interface TablesInput {
  readonly claims: readonly Claim[];
  /** The texts of the files, by path relative to the project. */
  readonly texts: ReadonlyMap<string, string>;
  /** Returns the path of a schema's file, relative to the project. */
  readonly fileOf: (schema: { readonly connection: string; readonly schema: string }) => string;
  readonly written: WrittenRecord;
  readonly decisions: Decisions;
  readonly today: string;
}

type RenderedNote = RenderedDescription | RenderedJoin;

export function planTables(input: TablesInput): PlannedPart {
  const { claims, written, texts, fileOf } = input;
  const byFile = Map.groupBy(renderTables(claims), ({ schema }) => fileOf(schema));
  const own = [...written.files.keys()].filter((file) => file.startsWith("context/tables/") && texts.has(file));
  const parts = [...new Set([...byFile.keys(), ...own])]
    .sort()
    .map((file) => planFile(file, byFile.get(file) ?? [], input));
  return {
    files: parts.flatMap(({ files }) => files),
    written: new Map(parts.flatMap((part) => [...part.written])),
    removed: parts.flatMap(({ removed }) => removed),
    notes: parts.flatMap(({ notes }) => notes),
  };
}

function planFile(file: string, notes: readonly RenderedNote[], input: TablesInput): PlannedPart {
  const old = input.written.files.get(file) ?? new Map<string, string>();
  try {
    return new TableFileMerge(file, old, input).run(notes);
  } catch (error) {
    if (!isBridleError(error)) throw error;
    const message = `The file was not changed: ${getErrorMessage(error)}`;
    return {
      files: [],
      written: new Map([[file, old]]),
      removed: [],
      notes: [{ kind: "unreadable", file, message }],
    };
  }
}

class TableFileMerge {
  readonly #file: string;
  readonly #old: WrittenEntries;
  readonly #input: TablesInput;
  readonly #before: string | undefined;
  readonly #editor: TableFileEditor;
  readonly #written = new Map<string, string>();
  readonly #removed: RemovedThing[] = [];
  readonly #notes: PlanNote[] = [];
  readonly #changes: PlannedEntry[] = [];

  constructor(file: string, old: WrittenEntries, input: TablesInput) {
    this.#file = file;
    this.#old = old;
    this.#input = input;
    this.#before = input.texts.get(file);
    this.#editor = new TableFileEditor(this.#before ?? "", file);
  }

  run(rendered: readonly RenderedNote[]): PlannedPart {
    const byKey = new Map(rendered.map((note) => [keyOf(note), note]));
    for (const [key, hash] of this.#old) if (!byKey.has(key)) this.#removeOld(key, hash);
    for (const [key, note] of byKey) if (!this.#isRemoved(key, note)) this.#write(key, note);
    const text = this.#editor.toString();
    const after = text === "" ? undefined : text;
    const files: PlannedFile[] =
      after === this.#before
        ? []
        : [{ file: this.#file, kind: "tables", before: this.#before, after, changes: this.#changes }];
    return {
      files,
      written: new Map([[this.#file, this.#written]]),
      removed: this.#removed,
      notes: this.#notes,
    };
  }

  /** Removes an entry that no document supports any longer. */
  #removeOld(key: string, hash: string): void {
    const target = this.#targetOf(key);
    const present = target && this.#read(target);
    if (target === undefined || present === undefined) return;
    if (hashOfWritten(present) === hash) {
      this.#set(target, undefined);
      this.#change(target, present, undefined);
    } else this.#note("kept", `${target.subject} was changed by a person and stays. No document mentions it any more.`);
  }

  /** Returns the target that a key of the record refers to. */
  #targetOf(key: string): NoteTarget | undefined {
    const [, kind, subject = ""] = /^(description|join) (.*)$/s.exec(key) ?? [];
    if (kind !== "join") return kind === undefined ? undefined : { kind: "description", subject };
    const joins = this.#editor.joins().flatMap((entry) => endsOf(entry) ?? []);
    const ends = joins.find(({ from, to }) => `${idsOf(from)} → ${idsOf(to)}` === subject);
    return ends && { kind, subject, ends };
  }

  /** Whether a user removed the entry, in this run or earlier. */
  #isRemoved(key: string, note: RenderedNote): boolean {
    const { removed = [] } = this.#input.decisions;
    if (removed.some((each) => (note.kind === "join" ? each.join : each.description) === note.subject)) return true;
    if (!this.#old.has(key) || this.#input.written.isMerged || this.#read(note) !== undefined) return false;
    this.#removed.push({ [note.kind]: note.subject, at: this.#input.today });
    this.#note(
      "removed",
      `A person removed the ${note.kind} of ${note.subject}. It stays removed: see context/decisions.yaml.`,
    );
    return true;
  }

  #write(key: string, note: RenderedNote): void {
    const present = this.#read(note);
    const isEqual = JSON.stringify(present) === JSON.stringify(toEntry(note));
    const isOurs = present === undefined || isEqual || hashOfWritten(present) === this.#old.get(key);
    if (!isOurs && !isWeaker(present, note)) {
      if (this.#old.has(key)) this.#note("kept", `${note.subject} was changed by a person and stays.`);
      return;
    }
    this.#written.set(key, hashOfWritten(toEntry(note)));
    if (isEqual) return;
    this.#set(note, note);
    this.#change(note, present, note.value);
  }

  #read(target: NoteTarget): unknown {
    return target.kind === "join" ? this.#editor.join(target.ends) : this.#editor.description(target.subject);
  }

  #set(target: NoteTarget, note: RenderedNote | undefined): void {
    if (target.kind === "description") this.#editor.setDescription(target.subject, note?.value);
    else this.#editor.setJoin(target.ends, note?.kind === "join" ? note.value : undefined);
  }

  #change({ subject, kind }: NoteTarget, before: unknown, after: unknown): void {
    const old = before === undefined ? {} : { before: JSON.stringify(before) };
    this.#changes.push({ subject, kind, ...old, after: JSON.stringify(after ?? "removed") });
  }

  #note(kind: PlanNote["kind"], message: string): void {
    this.#notes.push({ kind, file: this.#file, message });
  }
}

type NoteTarget = Pick<RenderedDescription, "kind" | "subject"> | Pick<RenderedJoin, "kind" | "subject" | "ends">;

function keyOf({ kind, subject }: NoteTarget): string {
  return `${kind} ${subject}`;
}

/** Returns the ends of a join entry in a file; undefined if they are invalid. */
function endsOf(entry: unknown): JoinEnds | undefined {
  if (!isPlainObject(entry)) return undefined;
  const [from, to] = [entry.from, entry.to].map((end) =>
    toEnd([end].flat().filter((each) => typeof each === "string")),
  );
  return from && to && { from, to };
}

function idsOf({ table, columns }: JoinEnds["from"]): string {
  const path = parseTableId(table);
  return path === undefined ? "" : columns.map((column) => formatColumnId({ ...path, column })).join(", ");
}

/** Returns an entry in the format of the file. */
function toEntry(note: RenderedNote): unknown {
  return note.kind === "join" ? formatJoinEntry(note.ends, note.value) : note.value;
}

/** Whether the present entry has a weaker author than the new one: a model, instead of a document or a user. */
function isWeaker(present: unknown, { author }: RenderedNote): boolean {
  const source = isPlainObject(present) ? present.source : undefined;
  return source === "model" && author !== "model";
}
