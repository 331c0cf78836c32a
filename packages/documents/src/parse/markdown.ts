import { fromMarkdown } from "mdast-util-from-markdown";
import { gfmFromMarkdown } from "mdast-util-gfm";
import { gfm } from "micromark-extension-gfm";
import type { Block, DocumentFile } from "./block.ts";
import { decodeText } from "./decode.ts";
import { parseLargeMarkdown } from "./large-markdown.ts";

type RootContent = ReturnType<typeof fromMarkdown>["children"][number];
type Table = Extract<RootContent, { type: "table" }>;

/**
 * Limits of the parser. It needs a hundred bytes of memory for each character, and its time grows faster than the length of
 * a line: 4 GB and 147 s for a line of 40 MB (micromark 4, on 2 processors).
 */
const limits = { chars: 4_000_000, charsInLine: 200_000 } as const;

/** Reads GitHub Flavored Markdown. Blocks have the exact text of the source. Very large files are only split at headings. */
export function parseMarkdown(file: DocumentFile): readonly Block[] {
  const text = decodeText(file).replaceAll(/\r\n?/g, "\n");
  if (text.length > limits.chars || longestLine(text) > limits.charsInLine) return parseLargeMarkdown(text);
  const { front, body, skipped } = splitFrontMatter(text);
  const root = fromMarkdown(body, { extensions: [gfm()], mdastExtensions: [gfmFromMarkdown()] });
  const blocks = root.children.flatMap((node) => blockOf(node, body, skipped));
  return front === undefined ? blocks : [front, ...blocks];
}

/** Front matter between `---` lines at the start becomes one block. */
function splitFrontMatter(text: string): { front?: Block; body: string; skipped: number } {
  const found = /^---\n([\s\S]*?)\n---[ \t]*(?:\n|$)/.exec(text);
  if (!found?.[1]?.trim()) return { body: text, skipped: 0 };
  const skipped = found[0].split("\n").length - 1;
  const front: Block = { kind: "code", text: found[1], lines: { from: 2, to: 1 + found[1].split("\n").length } };
  return { front, body: text.slice(found[0].length), skipped };
}

function blockOf(node: RootContent, source: string, skipped: number): Block[] {
  if (node.position === undefined || node.type === "thematicBreak") return [];
  const { start, end } = node.position;
  const text = source.slice(start.offset, end.offset);
  const lines = { from: start.line + skipped, to: end.line + skipped };
  switch (node.type) {
    case "heading":
      return [{ kind: "heading", text, depth: node.depth, lines }];
    case "code":
      return [{ kind: "code", text, lines }];
    case "list":
      return [{ kind: "list", text, lines }];
    case "table":
      return [{ kind: "table", text, lines, head: headOf(node, source) }];
    default:
      return [{ kind: "paragraph", text, lines }];
  }
}

/** The header row and the line below it. */
function headOf({ position }: Table, source: string): string {
  const text = source.slice(position?.start.offset, position?.end.offset);
  return text.split("\n").slice(0, 2).join("\n");
}

function longestLine(text: string): number {
  let longest = 0;
  for (let from = 0; from <= text.length; ) {
    const end = text.indexOf("\n", from);
    const next = end < 0 ? text.length : end;
    longest = Math.max(longest, next - from);
    from = next + 1;
  }
  return longest;
}
