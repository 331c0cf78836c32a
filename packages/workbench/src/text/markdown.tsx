import { showHiddenInDocument } from "@bridle/protocol/text";
import type { Nodes, Root } from "mdast";
import { fromMarkdown } from "mdast-util-from-markdown";
import { gfmFromMarkdown } from "mdast-util-gfm";
import { gfm } from "micromark-extension-gfm";
import { memo, useMemo } from "react";
import { MarkdownNodes } from "./markdown-nodes.tsx";

/** Characters beyond which a text is shown as it is: its tree would take longer than a person waits. */
const longestParsed = 200_000;

/** Elements within each other beyond which a text is shown as it is. */
const deepest = 60;
/** A line that begins with hundreds of quotes or list items takes the parser seconds. */
const deepPrefix = /^(?:[ \t]*[>*+-][ \t]?){200}/m;

/** A text of a model or a tool. It becomes elements of this page only by way of its tree: HTML in it is shown as text. */
export const Markdown = memo(function Markdown({ text }: { text: string }) {
  const tree = useMemo(() => parse(text), [text]);
  if (tree === undefined) return <div className="markdown plain">{showHiddenInDocument(text)}</div>;
  return (
    <div className="markdown" dir="auto">
      <MarkdownNodes nodes={tree.children} definitions={definitionsOf(tree)} />
    </div>
  );
});

function parse(text: string): Root | undefined {
  if (text.length > longestParsed || deepPrefix.test(text)) return undefined;
  try {
    const shown = showHiddenInDocument(text);
    const tree = fromMarkdown(shown, { extensions: [gfm()], mdastExtensions: [gfmFromMarkdown()] });
    return depthOf(tree, 0) > deepest ? undefined : tree;
  } catch {
    return undefined; // a tree so deep that it cannot be walked
  }
}

function depthOf(node: Nodes, depth: number): number {
  if (depth > deepest || !("children" in node)) return depth;
  return node.children.reduce((most, child) => Math.max(most, depthOf(child, depth + 1)), depth);
}

/** The addresses of links by reference, such as `[1]: https://…`. */
function definitionsOf(tree: Root): ReadonlyMap<string, string> {
  return new Map(
    tree.children.flatMap((node) => (node.type === "definition" ? [[node.identifier, node.url] as const] : [])),
  );
}
