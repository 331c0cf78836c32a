/** Where each setting of a file stands, and how it is written there. */
import type { SourcePosition } from "@bridle/core";
import { type Document, isAlias, isMap, isNode, isScalar } from "yaml";

export interface Places {
  /** By path, such as `llm.models.default`. A mapping stands where its key does. */
  readonly positions: Readonly<Record<string, SourcePosition>>;
  /** The texts of those values that have a reference to the environment, by path. */
  readonly written: Readonly<Record<string, string>>;
}

export const noPlaces: Places = { positions: {}, written: {} };

export function findPlaces(
  document: Document,
  texts: ReadonlyMap<unknown, string>,
  at: (offset: number) => SourcePosition,
): Places {
  const positions: Record<string, SourcePosition> = {};
  const written: Record<string, string> = {};
  const walk = (value: unknown, path: string, key?: unknown) => {
    const node = isAlias(value) ? value.resolve(document) : value;
    const range = isNode(key) && !isScalar(node) ? key.range : isNode(value) ? value.range : undefined;
    if (range) positions[path] = at(range[0]);
    const text = texts.get(node);
    if (text !== undefined) written[path] = text;
    if (isMap(node)) for (const item of node.items) walk(item.value, join(path, item.key), item.key);
  };
  walk(document.contents, "");
  return { positions, written };
}

function join(path: string, key: unknown): string {
  return path === "" ? String(key) : `${path}.${key}`;
}
