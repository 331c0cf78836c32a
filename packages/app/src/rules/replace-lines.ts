/** Changes the lines of one top-level key in a YAML text, and no other lines. */
import { type Document, isMap, isNode, isScalar } from "yaml";

/** The line numbers, counted from 0. `end` is the line after the last one. */
export interface KeyLines {
  readonly first: number;
  readonly end: number;
}

/**
 * Finds the lines of a key and its value, without the comments and empty lines around them. If the key does not exist, returns the
 * position after the last content. Returns `undefined` if the key shares its lines with others, for example in a mapping in
 * brackets.
 */
export function findKeyLines(document: Document, text: string, name: string): KeyLines | undefined {
  const { contents } = document;
  const lines = text.split("\n");
  const last = lines.at(-1) === "" ? lines.length - 1 : lines.length;
  if (contents === null) return { first: last, end: last };
  if (!isMap(contents) || contents.flow === true) return undefined;
  const at = contents.items.findIndex(({ key }) => isScalar(key) && key.value === name);
  if (at < 0) return { first: last, end: last };
  const start = startOf(contents.items[at]?.key);
  if (start === undefined || (start > 0 && text[start - 1] !== "\n")) return undefined;
  const next = startOf(contents.items[at + 1]?.key);
  let end = next === undefined ? last : lineAt(text, next);
  while (isBetween(lines[end - 1])) end -= 1;
  return { first: lineAt(text, start), end };
}

/** Replaces these lines of the text with others. Keeps the text's line endings. */
export function replaceLines(text: string, { first, end }: KeyLines, replacement: readonly string[]): string {
  const lineEnd = text.includes("\r\n") ? "\r\n" : "\n";
  const lines = text.match(/[^\n]*\n|[^\n]+$/g) ?? [];
  const [before, after] = [lines.slice(0, first).join(""), lines.slice(end).join("")];
  const put = replacement.map((line) => line + lineEnd).join("");
  const isLast = first < end && end === lines.length && !text.endsWith("\n"); // the last line keeps having no line ending
  const separator = put === "" || before === "" || before.endsWith("\n") ? "" : lineEnd;
  return before + separator + (isLast ? put.replace(/\r?\n$/, "") : put) + after;
}

function startOf(key: unknown): number | undefined {
  return isNode(key) ? key.range?.[0] : undefined;
}

function lineAt(text: string, offset: number): number {
  return text.slice(0, offset).split("\n").length - 1;
}

/** Whether a line contains no part of a value: a comment, an empty line, or the end of the document. */
function isBetween(line: string | undefined): boolean {
  return line !== undefined && /^\s*(?:#.*)?$|^\.\.\.(?:\s|$)/.test(line);
}
