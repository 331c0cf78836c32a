import { showHiddenInDocument } from "@bridle/protocol/text";
import { fromMarkdown } from "mdast-util-from-markdown";
import { gfmFromMarkdown } from "mdast-util-gfm";
import { gfm } from "micromark-extension-gfm";

type Block = ReturnType<typeof fromMarkdown>["children"][number];

/** Returns the blocks of a text. Undefined if the text is shown unformatted. */
export type MarkdownBlocks = readonly Block[] | undefined;

/** The maximum number of characters. Longer texts are shown unformatted, because parsing would take too long. */
const maxParsedLength = 200_000;

/** The maximum nesting depth. Texts with more nested elements are shown unformatted. */
const deepest = 60;
/**
 * The maximum number of quote marks or list markers at the start of a line, because the parser needs seconds for a line with hundreds of
 * them.
 */
const deepPrefix = /^(?:[ \t]*[>*+-][ \t]?){200}/m;

export function parseMarkdown(text: string): MarkdownBlocks {
  return isParsed(text) ? parseBlocks(showHiddenInDocument(text)) : undefined;
}

function isParsed(text: string): boolean {
  return text.length <= maxParsedLength && !deepPrefix.test(text);
}

function parseBlocks(shown: string): MarkdownBlocks {
  try {
    const { children } = fromMarkdown(shown, { extensions: [gfm()], mdastExtensions: [gfmFromMarkdown()] });
    return children.some((each) => depthOf(each, 1) > deepest) ? undefined : children;
  } catch {
    return undefined; // the tree is too deep to be traversed
  }
}

function depthOf(node: Block, depth: number): number {
  if (depth > deepest || !("children" in node)) return depth;
  return node.children.reduce((max, child) => Math.max(max, depthOf(child, depth + 1)), depth);
}

/** The number of blocks at the end of a text that can still change when the text grows. */
const openBlocks = 2;

/**
 * Parses a text that a model is writing. When the text grows, only its end is parsed again, and earlier blocks stay the same objects, so
 * that the page can be updated in every frame however long the text is.
 */
export class GrowingMarkdown {
  #shown = "";
  /** Each block with the position of its first line in the text. */
  #blocks: readonly { readonly block: Block; readonly start: number }[] = [];

  parse(text: string): MarkdownBlocks {
    const shown = isParsed(text) ? showHiddenInDocument(text) : undefined;
    if (shown === undefined) return undefined;
    const kept = this.#keptBlocks(shown);
    const from = kept.length === 0 ? 0 : (this.#blocks[kept.length]?.start ?? 0);
    const parsed = parseBlocks(shown.slice(from));
    const added = parsed?.map((block) => {
      const offset = from + (block.position?.start.offset ?? 0);
      return { block, start: shown.lastIndexOf("\n", offset - 1) + 1 };
    });
    this.#shown = shown;
    this.#blocks = added === undefined ? [] : [...kept, ...added];
    return added && this.#blocks.map(({ block }) => block);
  }

  /** Returns the blocks that later text cannot change. A definition such as `[1]: https://…` could change any block. */
  #keptBlocks(shown: string) {
    const count = this.#blocks.findLastIndex((_, index) => this.#isCut(index));
    const end = this.#blocks[count]?.start ?? 0;
    const isSame = end > 0 && shown.startsWith(this.#shown.slice(0, end)) && !shown.includes("]:");
    return isSame ? this.#blocks.slice(0, count) : [];
  }

  /** Whether the parser (micromark 4.0) reads a block and everything after it the same way without the text before. */
  #isCut(index: number): boolean {
    const [before, own] = [this.#blocks[index - 1], this.#blocks[index]];
    if (before === undefined || own === undefined || index > this.#blocks.length - openBlocks) return false;
    const isAfterBlankLine = /\n[ \t]*\n$/.test(this.#shown.slice(Math.max(0, own.start - 100), own.start));
    const isAfterIndent = /^[ \t]/.test(this.#shown.slice(before.start, before.start + 1)); // an empty item of a list is none then
    return isAfterBlankLine && !isAfterIndent;
  }
}
