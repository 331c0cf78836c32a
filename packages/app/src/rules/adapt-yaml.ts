/** Changes values in a YAML document. Unchanged parts keep their comments, their order and their form. */
import { canonicalJson, isPlainObject } from "@bridle/protocol";
import {
  type Document,
  isCollection,
  isMap,
  isNode,
  isScalar,
  isSeq,
  type Node,
  type Pair,
  parseDocument,
  visit,
  type YAMLMap,
  type YAMLSeq,
} from "yaml";

/** Returns a node for a value. Reuses the parts of the old node with equal values. Without an old node, it creates a new one. */
export function adaptNode(old: unknown, value: unknown, document: Document): Node {
  if (isNode(old) && isSame(old, value, document)) return old;
  if (isMap(old) && isPlainObject(value)) return adaptMap(old, value, document);
  if (isSeq(old) && Array.isArray(value)) return adaptSequence(old, value, document);
  const created = document.createNode(value);
  if (!isNode(old)) return created;
  created.comment = old.comment ?? null;
  created.commentBefore = old.commentBefore ?? null;
  if (isScalar(old) && isScalar(created) && old.type) created.type = old.type; // keeps its quotes
  return created;
}

/** Replaces each alias with a copy of the node that it refers to, so that changing a part changes nothing else. */
export function separateReferences(node: unknown, document: Document): void {
  if (!isNode(node)) return;
  const parts = new Set<Node>();
  visit(node, { Node: (_, part) => void parts.add(part) });
  visit(document, {
    Alias(_, alias) {
      const target = alias.resolve(document);
      return target && parts.has(target) ? document.createNode(alias.toJS(document)) : undefined;
    },
  });
}

function isSame(node: unknown, value: unknown, document: Document): boolean {
  return isNode(node) && canonicalJson(node.toJS(document)) === canonicalJson(value);
}

function adaptMap(map: YAMLMap, value: Readonly<Record<string, unknown>>, document: Document): Node {
  map.items = map.items.filter((pair) => Object.hasOwn(value, nameOf(pair)));
  for (const [name, each] of Object.entries(value)) {
    const pair = map.items.find((own) => nameOf(own) === name);
    if (pair) pair.value = adaptNode(pair.value, each, document);
    else map.items.push(document.createPair(name, each));
  }
  return map;
}

function nameOf({ key }: Pair): string {
  return String(isScalar(key) ? key.value : key);
}

/**
 * Finds unchanged entries by their values. A changed entry takes the form and comments of the rule that it replaces: the rule for the same
 * tool, or the rule at its position.
 */
function adaptSequence(sequence: YAMLSeq, values: readonly unknown[], document: Document): Node {
  const left = [...sequence.items];
  const kept = values.map((value) => {
    const at = left.findIndex((item) => isSame(item, value, document));
    return at < 0 ? undefined : left.splice(at, 1)[0];
  });
  const isFlow = sequence.items.length > 0 && sequence.items.every((item) => isCollection(item) && item.flow === true);
  const isReplaced = values.length === sequence.items.length;
  sequence.items = values.map((value, at) => {
    if (kept[at] !== undefined) return kept[at];
    const place = isReplaced ? sequence.items[at] : undefined;
    const former = left.find((item) => hasSameTool(item, value, document)) ?? left.find((item) => item === place);
    if (former !== undefined) left.splice(left.indexOf(former), 1);
    const adapted = adaptNode(former, value, document);
    if (former === undefined && isFlow && isCollection(adapted)) adapted.flow = true;
    return adapted;
  });
  return sequence;
}

function hasSameTool(item: unknown, value: unknown, document: Document): boolean {
  return (
    isMap(item) && isPlainObject(value) && item.has("tool") && isSame(item.get("tool", true), value.tool, document)
  );
}

/** Formats the document. A list or a mapping in brackets keeps its original spacing if its value has not changed. */
export function formatAdapted(document: Document, before: string): string {
  visit(document, {
    Collection(_, node) {
      const source = node.flow && node.range ? before.slice(node.range[0], node.range[1]) : "";
      if (!saysSame(source, node, document)) return undefined;
      node.toString = () => source;
      return visit.SKIP;
    },
  });
  // for new parts: `{ a: b }` rather than `{a: b}`, unless the file uses the latter
  const isPadded = !/\{\S/.test(before) || /\{ /.test(before);
  return document.toString({ lineWidth: 0, flowCollectionPadding: isPadded });
}

/** Whether a one-line text is a complete YAML list or mapping without aliases and has the node's value. */
function saysSame(source: string, node: Node, document: Document): boolean {
  if (!/^[[{][^\n]*$/.test(source)) return false;
  const alone = parseDocument(source);
  let isAlone = alone.errors.length === 0;
  visit(alone, {
    Alias() {
      isAlone = false;
      return visit.BREAK;
    },
  });
  return isAlone && isSame(node, alone.toJS(), document);
}
