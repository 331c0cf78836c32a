/** Finds the position of each setting in a file, and its text there. */
import type { SourcePosition } from "@bridle/protocol";
import { type Document, isAlias, isMap, isNode, isScalar, isSeq } from "yaml";
import type { Filled, PathForm } from "./variables.ts";

export interface SettingSources {
  /** The position of each setting, by path, such as `llm.models.default`. A mapping has the position of its key. */
  readonly positions: Readonly<Record<string, SourcePosition>>;
  /** The texts of values that refer to the environment, as the file contains them, by path. */
  readonly written: Readonly<Record<string, string>>;
  /** Unset variables of settings that determine how a host is reached, by path. Those settings have no value. */
  readonly absent: Readonly<Record<string, readonly string[]>>;
}

export const noSettingSources: SettingSources = { positions: {}, written: {}, absent: {} };

export function findSettingSources(
  document: Document,
  { written: texts, absent: variables }: Pick<Filled, "written" | "absent">,
  at: (offset: number) => SourcePosition,
  { isConnection }: PathForm,
): SettingSources {
  const positions: Record<string, SourcePosition> = {};
  const written: Record<string, string> = {};
  const absent: Record<string, readonly string[]> = {};
  const walk = (value: unknown, path: string, key?: unknown) => {
    const node = isAlias(value) ? value.resolve(document) : value;
    const range = isNode(key) && !isScalar(node) ? key.range : isNode(value) ? value.range : undefined;
    if (range) positions[path] = at(range[0]);
    const text = texts.get(node);
    if (text !== undefined) written[path] = text;
    const unset = variables.get(node);
    if (unset !== undefined && isConnection(withoutIndexes(path))) absent[path] = unset;
    if (isMap(node)) for (const item of node.items) walk(item.value, join(path, item.key), item.key);
    if (isSeq(node)) for (const [index, item] of node.items.entries()) walk(item, join(path, index));
  };
  walk(document.contents, "");
  return { positions, written, absent };
}

/** Returns the keys of a path, without list indexes. */
function withoutIndexes(path: string): string[] {
  return path.split(".").filter((part) => !/^\d+$/.test(part));
}

function join(path: string, key: unknown): string {
  return path === "" ? String(key) : `${path}.${key}`;
}
