import { showHiddenInDocument } from "@bridle/protocol/text";
import { fromMarkdown } from "mdast-util-from-markdown";
import { gfmFromMarkdown } from "mdast-util-gfm";
import { gfm } from "micromark-extension-gfm";

type Block = ReturnType<typeof fromMarkdown>["children"][number];

/** The blocks of a text. Undefined for a text that is shown as it is. */
export type MarkdownBlocks = readonly Block[] | undefined;

/** Characters beyond which a text is shown as it is: its tree would take longer than a person waits. */
const maxParsedLength = 200_000;

/** Elements within each other beyond which a text is shown as it is. */
const deepest = 60;
/** A line that begins with hundreds of quotes or list items takes the parser seconds. */
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
    return undefined; // a tree so deep that it cannot be walked
  }
}

function depthOf(node: Block, depth: number): number {
  if (depth > deepest || !("children" in node)) return depth;
  return node.children.reduce((max, child) => Math.max(max, depthOf(child, depth + 1)), depth);
}

/** Blocks at the end of a text that may be others when it has grown. */
const openBlocks = 2;

/**
 * A text that a model writes. When it has grown, only its end is parsed, and the blocks before are the same objects: a person sees
 * a change for each frame, however long the text is.
 */
export class GrowingMarkdown {
  #shown = "";
  /** Each with the place of its first line in the text. */
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

  /** What follows cannot change these. A definition such as `[1]: https://…` could change any block. */
  #keptBlocks(shown: string) {
    const count = this.#blocks.findLastIndex((_, index) => this.#isCut(index));
    const end = this.#blocks[count]?.start ?? 0;
    const isSame = end > 0 && shown.startsWith(this.#shown.slice(0, end)) && !shown.includes("]:");
    return isSame ? this.#blocks.slice(0, count) : [];
  }

  /** Whether the parser (micromark 4.0) reads a block and all after it as it would read them alone. */
  #isCut(index: number): boolean {
    const [before, own] = [this.#blocks[index - 1], this.#blocks[index]];
    if (before === undefined || own === undefined || index > this.#blocks.length - openBlocks) return false;
    const isAfterBlankLine = /\n[ \t]*\n$/.test(this.#shown.slice(Math.max(0, own.start - 100), own.start));
    const isAfterIndent = /^[ \t]/.test(this.#shown.slice(before.start, before.start + 1)); // an empty item of a list is none then
    return isAfterBlankLine && !isAfterIndent;
  }
}
