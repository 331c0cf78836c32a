/** Edits a YAML text and keeps its comments, order and unknown keys. */
import { ConfigError, isPlainObject } from "@bridle/protocol";
import {
  Document,
  isMap,
  isPair,
  isScalar,
  isSeq,
  LineCounter,
  type Node,
  type Pair,
  parseDocument,
  type YAMLMap,
} from "yaml";
import { positionAt } from "../positions.ts";

/** A YAML file that is being edited. Its methods throw a ConfigError with the position if the file cannot be edited there. */
export class EditedDocument {
  readonly #text: string;
  readonly #file: string;
  readonly #linesBefore: number;
  readonly #lines = new LineCounter();
  readonly #document: Document;

  /** `linesBefore` are the lines of the file before the text. */
  constructor(text: string, file: string, linesBefore = 0) {
    this.#text = text;
    this.#file = file;
    this.#linesBefore = linesBefore;
    this.#document = text.trim() === "" ? new Document({}) : parseDocument(text, { lineCounter: this.#lines });
    const [error] = this.#document.errors;
    if (!error) return;
    const { line, col } = this.#lines.linePos(error.pos[0]);
    const reason = error.message.split("\n")[0]?.replace(/[.:]$/, "");
    throw new ConfigError(`the file cannot be changed, because it is not YAML: ${reason}. Correct the line.`, {
      position: { file, line: line + linesBefore, column: col },
    });
  }

  /** Returns the plain value at a path; undefined if the path does not exist. */
  get(path: readonly string[]): unknown {
    let node: unknown = this.#document.contents;
    for (const key of path) node = isMap(node) ? findPair(node, key)?.value : undefined;
    return plain(node, this.#document);
  }

  /** Sets a value, and creates the mappings above it. Undefined removes the value. */
  set(path: readonly string[], value: unknown): void {
    const name = path.at(-1) ?? "";
    const holder = this.#mapAt(path.slice(0, -1));
    const pair = findPair(holder, name);
    if (value === undefined) {
      if (pair) holder.items.splice(holder.items.indexOf(pair), 1);
    } else if (pair) replaceValue(pair, this.#document.createNode(value));
    else holder.set(this.#document.createNode(name), this.#document.createNode(value));
  }

  /** Returns the plain entries of a list; empty if the list does not exist. */
  list(name: string): readonly unknown[] {
    const value = this.get([name]);
    return Array.isArray(value) ? value : [];
  }

  append(name: string, entry: Readonly<Record<string, unknown>>): void {
    const holder = this.#mapAt([]);
    const value = findPair(holder, name)?.value;
    if (isSeq(value)) value.add(this.#document.createNode(entry));
    else if (isEmpty(value)) this.set([name], [entry]);
    else this.#refuse([name], "a list");
  }

  /** Sets keys of a list entry. Undefined removes a key. */
  setInEntry(name: string, index: number, values: Readonly<Record<string, unknown>>): void {
    const sequence = findPair(this.#mapAt([]), name)?.value;
    const entry: unknown = isSeq(sequence) ? sequence.items[index] : undefined;
    if (!isMap(entry)) this.#refuse([name], "a list of mappings");
    for (const [key, value] of Object.entries(values)) {
      const pair = findPair(entry, key);
      if (value === undefined) entry.delete(key);
      else if (pair) replaceValue(pair, this.#document.createNode(value));
      else entry.set(key, this.#document.createNode(value));
    }
  }

  /** Replaces all keys of an entry. Keeps the entry's comments. */
  replaceEntry(name: string, index: number, entry: Readonly<Record<string, unknown>>): void {
    const old = this.list(name)[index];
    const gone = isPlainObject(old) ? Object.keys(old).filter((key) => !(key in entry)) : [];
    this.setInEntry(name, index, { ...Object.fromEntries(gone.map((key) => [key, undefined])), ...entry });
  }

  /** Removes a list entry, and the list if it becomes empty. */
  removeEntry(name: string, index: number): void {
    const sequence = findPair(this.#mapAt([]), name)?.value;
    if (!isSeq(sequence)) this.#refuse([name], "a list");
    sequence.items.splice(index, 1);
    if (sequence.items.length === 0) this.set([name], undefined);
  }

  toString(): string {
    const flowCollectionPadding = !/[{[]\S/.test(this.#text) || /[{[] /.test(this.#text);
    const text = this.#document.toString({
      lineWidth: 0,
      flowCollectionPadding,
      indentSeq: !/^[\w-]+:[^\n]*\r?\n- /m.test(this.#text),
    });
    return this.#text.includes("\r\n") ? text.replaceAll("\n", "\r\n") : text;
  }

  #mapAt(path: readonly string[]): YAMLMap {
    if (isEmpty(this.#document.contents)) replaceContents(this.#document);
    let node: unknown = this.#document.contents;
    for (const [index, key] of path.entries()) {
      if (!isMap(node)) break;
      const pair = findPair(node, key);
      if (pair && !isEmpty(pair.value)) node = pair.value;
      else node = setMap(node, key, pair, this.#document);
      if (!isMap(node)) this.#refuse(path.slice(0, index + 1), "a mapping");
    }
    return isMap(node) ? node : this.#refuse([], "a mapping");
  }

  #refuse(path: readonly string[], expected: string): never {
    const { line = 1, ...found } = positionAt(this.#document, this.#lines, this.#file, path);
    const position = { ...found, line: line + this.#linesBefore };
    const subject = path.join(".") || "the file";
    throw new ConfigError(`${subject} must be ${expected} to be changed. Write it as one.`, { position });
  }
}

/** Finds the pair with a name, which YAML may have read as a number. */
function findPair(map: YAMLMap, name: string): Pair | undefined {
  return map.items.find((pair) => isPair(pair) && isScalar(pair.key) && String(pair.key.value) === name);
}

function isEmpty(node: unknown): boolean {
  return node === null || node === undefined || (isScalar(node) && node.value === null);
}

function setMap(holder: YAMLMap, key: string, pair: Pair | undefined, document: Document): unknown {
  const created = document.createNode({});
  if (pair) replaceValue(pair, created);
  else holder.set(document.createNode(key), created);
  return created;
}

/** Gives an empty file an empty mapping, and keeps its comments. */
function replaceContents(document: Document): void {
  const { commentBefore, comment } = document;
  document.contents = document.createNode({});
  document.commentBefore = [commentBefore, comment].filter(Boolean).join("\n") || null;
  document.comment = null;
}

/** Replaces a value, and keeps the comments of the old one. */
function replaceValue(pair: Pair, value: Node): void {
  const old = pair.value;
  if (isScalar(old) && isScalar(value) && typeof value.value === typeof old.value) {
    old.value = value.value;
    return;
  }
  if (isScalar(old) || isMap(old) || isSeq(old)) {
    value.comment = old.comment ?? null;
    value.commentBefore = old.commentBefore ?? null;
  }
  pair.value = value;
}

function plain(node: unknown, document: Document): unknown {
  if (isScalar(node) || isMap(node) || isSeq(node)) return node.toJS(document);
  return undefined;
}
