/** Edits a YAML file and keeps its comments. Each edit is recorded with its line and its reason. */
import { isSecretName } from "@bridle/protocol";
import {
  type Document,
  isMap,
  isNode,
  isPair,
  isScalar,
  isSeq,
  LineCounter,
  type Node,
  type Pair,
  parseDocument,
  type YAMLMap,
  type YAMLSeq,
} from "yaml";

export interface Edit {
  /** The line in the original file, from 1; 0 for a new entry. */
  readonly line: number;
  /** The path of the setting, such as `tools.0.database`. */
  readonly field: string;
  /** The change in words, such as `is embedded instead of chromadb`. */
  readonly change: string;
  readonly reason: string;
}

type Path = readonly (string | number)[];

/** Below this line, the lines of a removed setting stay as comments. */
const removedTitle = " Not used by Bridle:";

export class YamlEdits {
  readonly edits: Edit[] = [];
  readonly #text: string;
  readonly #lines = new LineCounter();
  readonly #document: Document;

  constructor(text: string) {
    this.#text = text;
    this.#document = parseDocument(text, { lineCounter: this.#lines });
  }

  /** Why the file cannot be edited; `undefined` if it can. */
  get fault(): string | undefined {
    const [error] = this.#document.errors;
    if (error) return error.message;
    return isMap(this.#document.contents) ? undefined : "it is not a mapping";
  }

  /** Returns the file after all edits. Without edits, the original text. */
  toString(): string {
    return this.edits.length === 0
      ? this.#text
      : this.#document.toString({ lineWidth: 0, flowCollectionPadding: /[{[] /.test(this.#text) });
  }

  /** Returns the plain value at a path, or `undefined`. */
  get(path: Path): unknown {
    const found: unknown = path.length === 0 ? this.#document.contents : this.#document.getIn(path, true);
    return isNode(found) ? found.toJS(this.#document) : found;
  }

  has(path: Path): boolean {
    return this.#document.hasIn(path);
  }

  /** Returns the existing paths that match a pattern. `*` matches every entry of a list or mapping. */
  find(pattern: Path): Path[] {
    return pattern.reduce<Path[]>(
      (paths, key) =>
        paths.flatMap((path) => {
          if (key !== "*") return this.has([...path, key]) ? [[...path, key]] : [];
          return this.#keysAt(path).map((each) => [...path, each]);
        }),
      [[]],
    );
  }

  /** Sets a value. `hint` is a comment in the file above a new value, unless the value is within a line. */
  set(path: Path, value: unknown, reason: string, hint?: string): void {
    const isNew = !this.has(path);
    const line = this.#lineOf(path);
    const before = this.get(path);
    this.#replace(path, this.#document.createNode(value));
    if (hint !== undefined) this.#comment(path, hint);
    const shown = show(value, path.at(-1));
    const change = isNew ? `is new: ${shown}` : `is ${shown} instead of ${show(before, path.at(-1))}`;
    this.edits.push({ line: isNew ? 0 : line, field: path.join("."), change, reason });
  }

  #comment(path: Path, hint: string): void {
    const holder: unknown = this.#document.getIn(path.slice(0, -1), true);
    if (!isMap(holder) || holder.flow) return;
    const pair = holder.items.find((each) => keyOf(each) === path.at(-1) || each.key === path.at(-1));
    if (pair === undefined) return;
    const key = this.#document.createNode(path.at(-1));
    key.commentBefore = ` ${hint}`;
    pair.key = key;
  }

  /** Replaces a value. The comment of the value stays, and a replaced mapping stays as a comment. */
  #replace(path: Path, node: Node): void {
    const old: unknown = this.#document.getIn(path, true);
    const holder: unknown = path.length === 1 ? this.#document.contents : this.#document.getIn(path.slice(0, -1), true);
    const pair = isMap(holder) && !holder.flow ? holder.items.find((each) => keyOf(each) === path.at(-1)) : undefined;
    if (isScalar(old) && old.comment) node.comment = old.comment;
    if (isMap(old) && !old.flow && pair && isNode(pair.key)) {
      const comment = `${removedTitle}\n${this.#linesOf(pair)}`;
      pair.key.commentBefore = [pair.key.commentBefore, comment].filter(Boolean).join("\n");
    }
    this.#document.setIn(path, node);
  }

  /** Removes a setting. Its lines stay as a comment, unless the setting is within a line. */
  remove(path: Path, reason: string): void {
    const holder: unknown = path.length === 1 ? this.#document.contents : this.#document.getIn(path.slice(0, -1), true);
    const line = this.#lineOf(path);
    const value = show(this.get(path), path.at(-1));
    if (isMap(holder) && !holder.flow) this.#commentOut(holder, path.at(-1));
    else if (isSeq(holder) && !holder.flow) this.#commentOutEntry(holder, Number(path.at(-1)));
    else this.#document.deleteIn(path);
    this.edits.push({ line, field: path.join("."), change: `is removed; it was ${value}`, reason });
  }

  #keysAt(path: Path): (string | number)[] {
    const holder: unknown = path.length === 0 ? this.#document.contents : this.#document.getIn(path, true);
    if (isSeq(holder)) return holder.items.map((_, index) => index);
    return isMap(holder) ? holder.items.flatMap((pair) => keyOf(pair) ?? []) : [];
  }

  #commentOut(holder: YAMLMap, key: unknown): void {
    const index = holder.items.findIndex((pair) => keyOf(pair) === key);
    const pair = holder.items[index];
    if (pair === undefined) return;
    const own = isNode(pair.key) && pair.key.commentBefore ? `${pair.key.commentBefore}\n` : "";
    const comment = `${own}${removedTitle}\n${this.#linesOf(pair)}`;
    holder.items.splice(index, 1);
    const next = holder.items[index];
    if (next !== undefined && isNode(next.key)) {
      next.key.commentBefore = [comment, next.key.commentBefore].filter(Boolean).join("\n");
    } else holder.comment = [holder.comment, comment].filter(Boolean).join("\n");
  }

  /** Removes entries from the last to the first, so that the positions of the others stay the same. */
  #commentOutEntry(holder: YAMLSeq, index: number): void {
    const entry = holder.items[index];
    if (!isNode(entry)) return;
    const own = entry.commentBefore ? `${entry.commentBefore}\n` : "";
    const [inner = 0, , end = inner] = entry.range ?? [];
    const comment = `${own}${removedTitle}\n${this.#textAsComment(this.#text.lastIndexOf("-", inner), end)}`;
    holder.items.splice(index, 1);
    const next = holder.items[index];
    if (isNode(next)) next.commentBefore = [comment, next.commentBefore].filter(Boolean).join("\n");
    else holder.comment = [comment, holder.comment].filter(Boolean).join("\n");
  }

  #linesOf(pair: Pair): string {
    const from = isNode(pair.key) ? (pair.key.range?.[0] ?? 0) : 0;
    return this.#textAsComment(from, isNode(pair.value) ? (pair.value.range?.[2] ?? from) : from);
  }

  /** Turns lines of the original into a comment, without their common indentation. */
  #textAsComment(from: number, end: number): string {
    const { col } = this.#lines.linePos(from);
    const lines = this.#text.slice(from, end).trimEnd().split("\n");
    // The parser attaches comments to the end of a mapping that belong to the next setting if they are not indented.
    const last = lines.findLastIndex((line, index) => index === 0 || !isOuterComment(line, col));
    const own = lines.slice(0, last + 1);
    const shown = own.map((line, index) => (index === 0 ? line : line.slice(Math.min(col - 1, indentOf(line)))));
    const after = lines.slice(last + 1).map((line) => line.trim().slice(1));
    return [...shown.map((line) => `   ${line}`.trimEnd()), ...after.filter(Boolean)].join("\n");
  }

  #lineOf(path: Path): number {
    const holder: unknown = path.length === 1 ? this.#document.contents : this.#document.getIn(path.slice(0, -1), true);
    const pair = isMap(holder) ? holder.items.find((each) => keyOf(each) === path.at(-1)) : undefined;
    const node: unknown = pair?.key ?? this.#document.getIn(path, true);
    return isNode(node) && node.range ? this.#lines.linePos(node.range[0]).line : 0;
  }
}

function keyOf(pair: unknown): string | undefined {
  return isPair(pair) && isScalar(pair.key) ? String(pair.key.value) : undefined;
}

/** Whether a line is empty, or a comment with a smaller indentation than this column, which counts from 1. */
function isOuterComment(line: string, col: number): boolean {
  const text = line.trim();
  return text === "" || (text.startsWith("#") && indentOf(line) < col);
}

function indentOf(line: string): number {
  return line.length - line.trimStart().length;
}

/** Formats a value for a report, without credentials that are written in the file. */
function show(value: unknown, key?: string | number): string {
  if (value === undefined) return "nothing";
  const text = JSON.stringify({ [String(key)]: value }, (name, inner: unknown) =>
    typeof inner === "string" && !inner.includes("${") && isSecret(name) ? "…" : inner,
  );
  const own = text.slice(JSON.stringify(String(key)).length + 2, -1);
  return own.length > 80 ? `${own.slice(0, 79)}…` : own;
}

/** Whether a name is that of a secret. `auth_provider` only selects how to pay, and the report must show it. */
function isSecret(name: string): boolean {
  return name !== "auth_provider" && (isSecretName(name) || name === "connection_string");
}
