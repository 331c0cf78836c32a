import { type Node, type ParseError, parseTree } from "jsonc-parser";
import type { EntryEdit, Insertion } from "../../files/text-edit.ts";

/** A JSON file, with or without comments and trailing commas. */
export interface JsonFile {
  readonly text: string;
  readonly root: Node;
}

/** Returns `undefined` if the text is not a JSON object, or if a key on the path to the servers is duplicated. */
export function parseJsonFile(text: string): JsonFile | undefined {
  const errors: ParseError[] = [];
  const root = parseTree(text, errors, { allowTrailingComma: true });
  if (root?.type !== "object" || errors.length > 0) return undefined;
  return { text, root };
}

/** Finds the value at the keys; undefined if there is none. Throws SyntaxError if a key occurs twice. */
export function findJsonValue(node: Node, keys: readonly string[]): Node | undefined {
  let found: Node | undefined = node;
  for (const key of keys) {
    if (found?.type !== "object") return undefined;
    const same: Node[] = (found.children ?? []).filter(({ children }) => children?.[0]?.value === key);
    if (same.length > 1) throw new SyntaxError(`has the key "${key}" twice`);
    found = same[0]?.children?.[1];
  }
  return found;
}

/** Returns the insertions that add a property below the keys. Throws SyntaxError if a value on the path is not an object. */
export function insertProperty(
  { text, root }: JsonFile,
  keys: readonly string[],
  name: string,
  value: unknown,
): EntryEdit {
  let holder = root;
  let depth = 0;
  for (; depth < keys.length; depth++) {
    const next = findJsonValue(holder, keys.slice(depth, depth + 1));
    if (next === undefined) break;
    if (next.type !== "object") throw new SyntaxError(`has a "${keys[depth]}" that is not an object`);
    holder = next;
  }
  const [first = name, ...inner] = [...keys.slice(depth), name];
  const wrapped = inner.reduceRight<unknown>((content, key) => ({ [key]: content }), value);
  return { insertions: insertInto(text, holder, first, wrapped), createsParent: depth < keys.length };
}

/** Returns the insertion that turns an empty file into an object with a value at the path. */
export function insertObject(path: readonly string[], value: unknown): EntryEdit {
  const content = path.reduceRight((inner, key) => ({ [key]: inner }), value);
  return { insertions: [{ offset: 0, text: `${JSON.stringify(content, undefined, 2)}\n` }], createsParent: true };
}

function insertInto(text: string, holder: Node, key: string, value: unknown): Insertion[] {
  const style = styleOf(text, holder);
  const last = holder.children?.at(-1);
  if (last === undefined) {
    const property = `${style.before}${format(key, value, style)}${style.after}`;
    return [{ offset: holder.offset + 1, text: property }];
  }
  const end = last.offset + last.length;
  const { comma, rest } = afterProperty(text, end, style.unit === undefined);
  const property = `${style.before}${format(key, value, style)}`;
  if (comma !== undefined) return [{ offset: rest, text: `${property},` }];
  if (rest === end) return [{ offset: end, text: `,${property}` }];
  return [
    { offset: end, text: "," },
    { offset: rest, text: property }, // after a comment that belongs to the preceding property
  ];
}

interface Style {
  /** The text between the preceding property and the new one, or between the new property and the end of an object that was empty. */
  readonly before: string;
  readonly after: string;
  /** One level of indentation; undefined if the object is on one line. */
  readonly unit: string | undefined;
  readonly indent: string;
  readonly eol: string;
}

function styleOf(text: string, holder: Node): Style {
  const eol = /\r?\n/.exec(text)?.[0] ?? "\n";
  const first = holder.children?.[0];
  const own = indentAt(text, holder.offset);
  const isOnOneLine = first !== undefined && !text.slice(holder.offset, first.offset).includes("\n");
  if (isOnOneLine) return { before: " ", after: "", unit: undefined, indent: "", eol };
  const unit = /^(?:\t+| +)(?=["}])/m.exec(text)?.[0].replace(/^\t+/, "\t") ?? "  ";
  const indent = first === undefined ? own + unit : indentAt(text, first.offset);
  return { before: eol + indent, after: eol + own, unit, indent, eol };
}

/** Returns the whitespace at the start of an offset's line. */
function indentAt(text: string, offset: number): string {
  const start = text.lastIndexOf("\n", offset - 1) + 1;
  return /^[ \t]*/.exec(text.slice(start, offset))?.[0] ?? "";
}

function format(key: string, value: unknown, { unit, indent, eol }: Style): string {
  const json = JSON.stringify(value, undefined, unit);
  return `${JSON.stringify(key)}: ${json.replaceAll("\n", eol + indent)}`;
}

/** Matches each string in only one way, so that matching is never slow. */
const restOfLine = /^(?:[ \t]|\/\*(?:(?!\*\/).)*\*\/)*(?:\/\/[^\r\n]*)?/;
const commaBelow = /^(?:\s|\/\*(?:(?!\*\/)[\s\S])*\*\/|\/\/[^\n]*\n)*,/;

/**
 * Finds the comma that follows a property, and the offset after both, and after comments on the same line, unless another property may
 * follow there.
 */
function afterProperty(text: string, end: number, isOnOneLine: boolean) {
  const comma = commaAfter(text, end);
  const start = comma === undefined ? end : comma + 1;
  const line = isOnOneLine ? "" : (restOfLine.exec(text.slice(start))?.[0] ?? "");
  return { comma, rest: start + line.trimEnd().length };
}

/** Removes the property at the path from the text, with its comma and the whitespace before it. Keeps comments. */
export function removeProperty({ text, root }: JsonFile, path: readonly string[]): string {
  const holder = findJsonValue(root, path.slice(0, -1));
  const siblings = holder?.children ?? [];
  const index = siblings.findIndex(({ children }) => children?.[0]?.value === path.at(-1));
  const property = siblings[index];
  if (holder === undefined || property === undefined) return text;
  const end = property.offset + property.length;
  const before = siblings[index - 1];
  const comma = commaAfter(text, end) ?? (before && commaAfter(text, before.offset + before.length));
  const start = text.slice(0, property.offset).trimEnd().length;
  const isAlone = siblings.length === 1 && /^\s*\}/.test(text.slice(end));
  const cuts = [{ start, end: isAlone ? holder.offset + holder.length - 1 : end }];
  if (comma !== undefined) cuts.push({ start: comma, end: comma + 1 });
  return cuts
    .toSorted((a, b) => b.start - a.start)
    .reduce((rest, cut) => rest.slice(0, cut.start) + rest.slice(cut.end), text);
}

/** Returns the offset of the comma that follows a property. */
function commaAfter(text: string, end: number): number | undefined {
  const found = commaBelow.exec(text.slice(end))?.[0];
  return found === undefined ? undefined : end + found.length - 1;
}
