import type { SourcePosition } from "@bridle/protocol";
import { type Document, isMap, isNode, isScalar, type LineCounter } from "yaml";

export type KeyPath = readonly PropertyKey[];

/** Finds the position of the key or value at a path, or of its parent if it does not exist. */
export function positionAt(document: Document, lines: LineCounter, file: string, path: KeyPath): SourcePosition {
  const { line, col } = lines.linePos(offsetOf(document, path));
  return { file, line, column: col };
}

function offsetOf(document: Document, path: KeyPath): number {
  if (path.length === 0) return isNode(document.contents) ? (document.contents.range?.[0] ?? 0) : 0;
  const holder: unknown = path.length === 1 ? document.contents : document.getIn(path.slice(0, -1), true);
  const pair = isMap(holder) ? holder.items.find(({ key }) => isScalar(key) && key.value === path.at(-1)) : undefined;
  if (pair && isScalar(pair.key)) return pair.key.range?.[0] ?? 0;
  const value: unknown = document.getIn(path, true);
  return isNode(value) ? (value.range?.[0] ?? 0) : offsetOf(document, path.slice(0, -1));
}
