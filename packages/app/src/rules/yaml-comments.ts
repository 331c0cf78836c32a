/** Attaches the comments of a YAML document to the nodes that they describe. */
import { type Document, isCollection, isNode, type Pair, visit, type YAMLSeq } from "yaml";

/**
 * Moves comments. The parser attaches all comments between a key and the first entry of its list or mapping to that collection. This
 * function attaches a comment on the key's line to the key, and comments directly above a list's first entry to that entry.
 */
export function assignComments(document: Document, text: string): void {
  visit(document, {
    Pair: (_, pair) => keepBeside(pair, text),
    Seq: (_, sequence) => giveToFirst(sequence, text),
  });
}

function keepBeside({ key, value }: Pair, text: string): void {
  if (!isNode(key) || !key.range || !isCollection(value) || value.flow === true || !value.commentBefore) return;
  const beside = /^[^\S\n]*:[^\S\n]+#(.*)/.exec(text.slice(key.range[1]));
  const [first, ...others] = value.commentBefore.split("\n");
  if (beside === null || beside[1] !== first) return;
  key.comment = first ?? null;
  if (others[0] === "") value.spaceBefore = true;
  value.commentBefore = others.join("\n").replace(/^\n+/, "");
}

function giveToFirst(sequence: YAMLSeq, text: string): void {
  const [first] = sequence.items;
  if (sequence.flow === true || !sequence.commentBefore || !isNode(first) || !first.range) return;
  const above = text.slice(0, first.range[0]).split("\n").slice(0, -1);
  const count = above.length - 1 - above.findLastIndex((line) => !/^\s*#/.test(line));
  if (count === 0) return;
  const lines = sequence.commentBefore.split("\n");
  first.commentBefore = [...lines.slice(-count), ...(first.commentBefore ? [first.commentBefore] : [])].join("\n");
  sequence.commentBefore = lines.slice(0, -count).join("\n"); // with the empty line that precedes them
}
