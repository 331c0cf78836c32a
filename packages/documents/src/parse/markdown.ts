import createMarkdownIt, { type MarkdownIt, type Token } from "markdown-it";
import type { Block, DocumentFile, ParseContext } from "./block.ts";
import { decodeText } from "./encoding/decode.ts";
import { parseLargeMarkdown } from "./large-markdown.ts";

/**
 * The maximum length of a fully parsed document. Longer ones are parsed without the structure of lists and tables, which takes up to 150
 * bytes of memory per character.
 */
const maxChars = 4_000_000;

const parser = createBlockParser();

/** Reads GitHub Flavored Markdown. Blocks have the exact text of the source. Very large files are parsed by `parseLargeMarkdown`. */
export async function parseMarkdown(file: DocumentFile, context: ParseContext): Promise<readonly Block[]> {
  const text = (await decodeText(file, context)).replaceAll(/\r\n?/g, "\n");
  if (text.length > maxChars) return parseLargeMarkdown(text);
  const { front, body, skipped } = splitFrontMatter(text);
  const lines = body.split("\n");
  const blocks = parser.parse(body, {}).flatMap((token) => blockOf(token, lines, skipped));
  return front === undefined ? blocks : [front, ...blocks];
}

/**
 * Creates a parser that does not parse the text within blocks, because a block has the exact text of the source. Link definitions stay
 * text, too.
 */
function createBlockParser(): MarkdownIt {
  const created = createMarkdownIt({ html: true });
  created.core.ruler.enableOnly(["normalize", "block"]);
  created.block.ruler.disable("reference");
  return created;
}

/** Splits off front matter, between `---` lines at the start, as one block. */
function splitFrontMatter(text: string): { front?: Block; body: string; skipped: number } {
  const found = /^---\n([\s\S]*?)\n---[ \t]*(?:\n|$)/.exec(text);
  if (!found?.[1]?.trim()) return { body: text, skipped: 0 };
  const skipped = found[0].split("\n").length - 1;
  const front: Block = { kind: "code", text: found[1], lines: { from: 2, to: 1 + found[1].split("\n").length } };
  return { front, body: text.slice(found[0].length), skipped };
}

/** Returns the block that begins with a token; undefined for tokens within blocks and at the end of blocks. */
function blockOf({ type, tag, level, map, nesting }: Token, source: readonly string[], skipped: number): Block[] {
  if (level > 0 || map === null || nesting < 0 || type === "hr") return [];
  const [start] = map;
  const rows = withoutBlankEnd(source.slice(...map));
  const block = { text: rows.join("\n"), lines: { from: start + 1 + skipped, to: start + rows.length + skipped } };
  switch (type) {
    case "heading_open":
      return [{ kind: "heading", ...block, depth: Number(tag.slice(1)) }];
    case "fence":
    case "code_block":
      return [{ kind: "code", ...block }];
    case "bullet_list_open":
    case "ordered_list_open":
      return [{ kind: "list", ...block }];
    case "table_open":
      return [{ kind: "table", ...block, head: rows.slice(0, 2).join("\n") }];
    default:
      return [{ kind: "paragraph", ...block }];
  }
}

/** Removes blank lines at the end, because the parser ends a list directly before the next block, not at the list's last line. */
function withoutBlankEnd(rows: readonly string[]): readonly string[] {
  return rows.slice(0, rows.findLastIndex((row) => row.trim() !== "") + 1);
}
