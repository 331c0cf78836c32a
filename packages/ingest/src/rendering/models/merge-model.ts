/** Merges a rendered model with its file. Replaces or removes entries that ingest wrote, and keeps all other entries. Pure. */
import { EditedDocument } from "@bridle/context";
import { canonicalJson, isPlainObject, omitUndefined } from "@bridle/protocol";
import { wordKeys } from "../../claims/claim-id.ts";
import type { RemovedThing } from "../../claims/decisions/decision-schema.ts";
import { hashOfWritten, type WrittenEntries } from "../written-record.ts";
import {
  type ModelList,
  modelLists,
  nameOfEntry,
  type RenderedEntry,
  type RenderedModel,
  rowKeys,
} from "./render-models.ts";

export interface ModelMergeInput {
  /** The path relative to the project. */
  readonly file: string;
  readonly name: string;
  /** The rendered model; undefined if no document describes it any longer. */
  readonly rendered: RenderedModel | undefined;
  /** The text of the file; undefined if it does not exist. */
  readonly text: string | undefined;
  readonly written: WrittenEntries;
  readonly removed: readonly RemovedThing[];
  readonly mayBeRemoved: boolean;
  readonly today: string;
}

export interface MergedModel {
  /** The merged text; undefined if the file is removed. */
  readonly text: string | undefined;
  readonly written: WrittenEntries;
  readonly removed: readonly RemovedThing[];
  /** Users' own entries that stay although documents contradict or no longer mention them. */
  readonly kept: readonly { readonly entry: string; readonly isGone: boolean }[];
  readonly changes: readonly { readonly entry: string; readonly before?: unknown; readonly after: unknown }[];
}

/** Merges a model with its file. Throws a ConfigError with the position if the file cannot be edited. */
export function mergeModel(input: ModelMergeInput): MergedModel {
  return new ModelMerge(input).run();
}

class ModelMerge {
  readonly #input: ModelMergeInput;
  readonly #document: EditedDocument;
  readonly #written = new Map<string, string>();
  readonly #removed: RemovedThing[] = [];
  readonly #kept: MergedModel["kept"][number][] = [];
  readonly #changes: MergedModel["changes"][number][] = [];

  constructor(input: ModelMergeInput) {
    this.#input = input;
    this.#document = new EditedDocument(input.text ?? "", input.file);
  }

  run(): MergedModel {
    const { rendered, text, written } = this.#input;
    const values = new Map(rendered === undefined ? [] : valuesOf(rendered));
    const others = rowKeys.find((key) => values.size > 0 && !values.has(key) && this.#isOfPerson(key));
    if (others !== undefined) {
      const kept = [{ entry: others, isGone: false }];
      return { text, written, removed: [], kept, changes: [] };
    }
    for (const key of written.keys()) if (!values.has(key)) this.#removeOld(key);
    for (const [key, value] of values) if (!this.#isRemoved(key)) this.#write(key, value);
    const isEmpty = this.#isEmpty();
    const result = { removed: this.#removed, kept: this.#kept, changes: this.#changes };
    if (isEmpty) return { ...result, text: undefined, written: new Map() };
    return { ...result, text: this.#changes.length === 0 ? text : this.#document.toString(), written: this.#written };
  }

  #removeOld(key: string): void {
    const present = this.#read(key);
    if (present === undefined || (isPlace(key) && this.#input.rendered === undefined)) return;
    if (hashOfWritten(canonicalJson(present)) !== this.#input.written.get(key)) {
      this.#kept.push({ entry: key, isGone: true });
      return;
    }
    this.#set(key, undefined);
    this.#changes.push({ entry: key, before: present, after: "removed" });
  }

  #isRemoved(key: string): boolean {
    const { name, written, removed, mayBeRemoved, today: at, text } = this.#input;
    if (removed.some(({ model, entry }) => model === name && entry === key)) return true;
    if (text === undefined || !written.has(key) || !mayBeRemoved || this.#read(key) !== undefined) return false;
    this.#removed.push({ model: name, entry: key, at });
    return true;
  }

  #write(key: string, value: unknown): void {
    const present = this.#read(key);
    const hash = hashOfWritten(canonicalJson(value));
    if (present !== undefined && canonicalJson(present) === canonicalJson(value)) {
      this.#written.set(key, hash);
      return;
    }
    if (isPlace(key) && !isRowKey(key) && this.#input.text !== undefined && present === undefined) return;
    const isOurs = present === undefined || hashOfWritten(canonicalJson(present)) === this.#input.written.get(key);
    if (!isOurs) {
      if (meansSomethingElse(present, value) && !isPlace(key)) this.#kept.push({ entry: key, isGone: false });
      return;
    }
    this.#set(key, value);
    this.#written.set(key, hash);
    this.#changes.push({ entry: key, ...(present !== undefined && { before: present }), after: value });
  }

  /** Whether a user defined the rows of the model. If so, documents about a model with other rows do not apply. */
  #isOfPerson(key: string): boolean {
    const present = this.#read(key);
    return present !== undefined && hashOfWritten(canonicalJson(present)) !== this.#input.written.get(key);
  }

  #read(key: string): unknown {
    const entry = entryOf(key);
    if (entry === undefined) return this.#document.get([key]);
    return this.#document.list(entry.list).find((each) => nameOfEntry(entry.list, each) === entry.name);
  }

  #set(key: string, value: unknown): void {
    const entry = entryOf(key);
    if (entry === undefined) this.#document.set([key], value);
    else {
      const index = this.#document.list(entry.list).findIndex((each) => nameOfEntry(entry.list, each) === entry.name);
      if (value === undefined) this.#document.removeEntry(entry.list, index);
      else if (!isPlainObject(value)) return;
      else if (index < 0) this.#document.append(entry.list, value);
      else this.#document.replaceEntry(entry.list, index, value);
    }
  }

  /** Whether only the name and the table are left, and ingest wrote them. */
  #isEmpty(): boolean {
    const { rendered, written } = this.#input;
    const value = this.#document.get([]);
    if (rendered !== undefined || !isPlainObject(value)) return rendered === undefined && value === undefined;
    return Object.entries(value).every(
      ([key, each]) => isPlace(key) && hashOfWritten(canonicalJson(each)) === written.get(key),
    );
  }
}

/** Whether a key identifies a model. Such keys stay as long as the file has any other content. */
function isPlace(key: string): boolean {
  return key === "name" || key === "connection" || isRowKey(key);
}

function isRowKey(key: string): boolean {
  return rowKeys.some((each) => each === key);
}

/** Lists everything in a model by key: `table`, `primary_key`, `measures.revenue`. */
function valuesOf({ name, connection, rows, keys, entries }: RenderedModel): readonly (readonly [string, unknown])[] {
  const place = Object.entries(omitUndefined({ name, connection, ...rows }));
  return [...place, ...keys, ...entries.map((entry) => [keyOfEntry(entry), entry.value] as const)];
}

export function keyOfEntry({ list, name }: Pick<RenderedEntry, "list" | "name">): string {
  return `${list}.${name}`;
}

function entryOf(key: string): { readonly list: ModelList; readonly name: string } | undefined {
  const [first = "", ...rest] = key.split(".");
  const list = modelLists.find((each) => each === first);
  return list === undefined || rest.length === 0 ? undefined : { list, name: rest.join(".") };
}

/** Whether two entries have different definitions. Descriptions and labels do not count. */
function meansSomethingElse(a: unknown, b: unknown): boolean {
  const without = (value: unknown) =>
    isPlainObject(value) ? Object.fromEntries(Object.entries(value).filter(([key]) => !wordKeys.includes(key))) : value;
  return canonicalJson(without(a)) !== canonicalJson(without(b));
}
