import { showHiddenInDocument } from "@bridle/protocol/text";
import { memo, useMemo, useRef } from "react";
import { linkPages } from "./link-pages.ts";
import { MarkdownBlock } from "./markdown-nodes.tsx";
import { GrowingMarkdown, type MarkdownBlocks, parseMarkdown } from "./parse-markdown.ts";

interface MarkdownProps {
  readonly text: string;
  /** Whether the text is still being written. */
  readonly isGrowing?: boolean;
  /**
   * Returns the URL of a page that the text links to as `[[page]]`. Without this function, such links are rendered as text. Pass the same
   * function in each rendering.
   */
  readonly toPage?: (page: string) => string;
}

/** A text of a model or a tool. It is rendered only from its syntax tree, so HTML in it is shown as text. */
export const Markdown = memo(function Markdown({ text, isGrowing = false, toPage }: MarkdownProps) {
  const growing = useRef<GrowingMarkdown>(undefined);
  const blocks = useMemo(() => {
    if (!isGrowing) return toPage ? linkPages(parseMarkdown(text), text, toPage) : parseMarkdown(text);
    growing.current ??= new GrowingMarkdown();
    return growing.current.parse(text);
  }, [text, isGrowing, toPage]);
  if (blocks === undefined) return <div className="markdown plain">{showHiddenInDocument(text)}</div>;
  const definitions = definitionsOf(blocks);
  return (
    <div className="markdown" dir="auto">
      {blocks.map((block, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a text only grows at its end
        <MarkdownBlock key={index} block={block} definitions={definitions} />
      ))}
    </div>
  );
});

const none: ReadonlyMap<string, string> = new Map();

/** Returns the addresses of links that are written as references, such as `[1]: https://…`. */
function definitionsOf(blocks: NonNullable<MarkdownBlocks>): ReadonlyMap<string, string> {
  const found = blocks.flatMap((node) => (node.type === "definition" ? [[node.identifier, node.url] as const] : []));
  return found.length === 0 ? none : new Map(found);
}
