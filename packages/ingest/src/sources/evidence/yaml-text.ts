/** Parses a YAML file and keeps the position of each value. */
import {
  type Document,
  isAlias,
  isMap,
  isNode,
  isPair,
  isScalar,
  isSeq,
  LineCounter,
  type Node,
  parseAllDocuments,
} from "yaml";
import type { QuotedEntry } from "./quote-entry.ts";

/** The maximum number of aliases. More aliases could expand into more values than fit in memory. */
const maxAliasCount = 100;
/** The maximum length of a quote. Longer quotes cannot be cited. */
const maxQuoted = 1_900;

/** A value in the file. */
export class YamlValue {
  readonly value: unknown;
  readonly #file: YamlText;
  readonly #node: unknown;
  /** The key of the value, so that a quote includes it; undefined for other values. */
  readonly #key: unknown;

  constructor(file: YamlText, node: unknown, value: unknown, key?: unknown) {
    this.#file = file;
    this.#node = node;
    this.value = value;
    this.#key = key;
  }

  get text(): string | undefined {
    return typeof this.value === "string"
      ? this.value.trim()
      : typeof this.value === "number"
        ? String(this.value)
        : undefined;
  }

  get keys(): readonly string[] {
    return isRecord(this.value) ? Object.keys(this.value) : [];
  }

  child(...path: readonly string[]): YamlValue | undefined {
    const [key, ...rest] = path;
    if (key === undefined) return this;
    return this.#childOf(key)?.child(...rest);
  }

  /** Returns the entries of the list at a key. */
  list(key: string): readonly YamlValue[] {
    return this.child(key)?.items ?? [];
  }

  get items(): readonly YamlValue[] {
    if (!Array.isArray(this.value)) return [];
    const node = this.#file.resolve(this.#node);
    const nodes: readonly unknown[] = isSeq(node) ? node.items : [];
    return this.value.map((value: unknown, index) => new YamlValue(this.#file, nodes[index], value));
  }

  /** The text of the value with its key, cut to 1,900 characters. */
  get quoted(): QuotedEntry {
    return this.#file.quote(this.#key ?? this.#node, this.#node);
  }

  get line(): number {
    return this.#file.lineOf(this.#key ?? this.#node);
  }

  #childOf(key: string): YamlValue | undefined {
    if (
      !isRecord(this.value) ||
      !Object.hasOwn(this.value, key) ||
      this.value[key] === undefined ||
      this.value[key] === null
    )
      return undefined;
    const node = this.#file.resolve(this.#node);
    const pair = isMap(node)
      ? node.items.find((each) => isPair(each) && isScalar(each.key) && String(each.key.value) === key)
      : undefined;
    return new YamlValue(this.#file, pair?.value ?? this.#node, this.value[key], pair?.key);
  }
}

export class YamlText {
  readonly text: string;
  /** The values of the file's documents; empty if the file cannot be read. */
  readonly roots: readonly YamlValue[];
  /** The reason why the file cannot be read. */
  readonly fault: { readonly reason: string; readonly line: number } | undefined;
  readonly #lines = new LineCounter();
  #document: Document.Parsed | undefined;

  constructor(text: string) {
    this.text = text;
    const { roots, fault } = this.#parse();
    this.roots = roots;
    this.fault = fault;
  }

  /** Resolves an alias. */
  resolve(node: unknown): unknown {
    return isAlias(node) && this.#document ? node.resolve(this.#document) : node;
  }

  quote(first: unknown, last: unknown): QuotedEntry {
    const start = startOf(first) ?? startOf(last) ?? 0;
    const end = Math.max(endOf(last) ?? start, start);
    return { quote: this.text.slice(start, Math.min(end, start + maxQuoted)).trimEnd(), start };
  }

  lineOf(node: unknown): number {
    return this.#lines.linePos(startOf(node) ?? 0).line;
  }

  #parse(): Pick<YamlText, "roots" | "fault"> {
    try {
      const documents = [...parseAllDocuments(this.text, { lineCounter: this.#lines, prettyErrors: false })];
      const error = documents.flatMap(({ errors }) => errors)[0];
      if (error)
        return {
          roots: [],
          fault: this.#faultAt(
            `This is not YAML: ${error.message.replace(/\.$/, "")}. Correct the line.`,
            error.pos[0],
          ),
        };
      [this.#document] = documents.filter((each): each is Document.Parsed => "contents" in each);
      const roots = documents.map((each) => new YamlValue(this, each.contents, each.toJS({ maxAliasCount })));
      return { roots, fault: undefined };
    } catch (error) {
      const isDeep = error instanceof RangeError && /call stack/.test(error.message);
      const reason = isDeep
        ? "It is nested too deeply to be read."
        : "An alias in the file cannot be expanded. Write the value.";
      return { roots: [], fault: this.#faultAt(reason, 0) };
    }
  }

  #faultAt(reason: string, offset: number) {
    return { reason, line: this.#lines.linePos(offset).line };
  }
}

function startOf(node: unknown): number | undefined {
  return isNode(node) ? (node as Node).range?.[0] : undefined;
}

function endOf(node: unknown): number | undefined {
  return isNode(node) ? (node as Node).range?.[1] : undefined;
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
