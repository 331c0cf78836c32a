import type { Block, DocumentFile, ParseContext } from "./block.ts";
import { decodeText } from "./encoding/decode.ts";

/** Reads plain text. Empty lines separate paragraphs. */
export async function parseText(file: DocumentFile, context: ParseContext): Promise<readonly Block[]> {
  return paragraphsOf(await decodeText(file, context));
}

/** Returns the paragraphs of a text. If `page` is given, they have that page instead of lines. */
export function paragraphsOf(text: string, page?: number): readonly Block[] {
  const blocks: Block[] = [];
  let lines: string[] = [];
  let from = 1;
  const end = (next: number) => {
    if (lines.length > 0) blocks.push({ kind: "paragraph", text: lines.join("\n"), ...place(from, next - 1, page) });
    lines = [];
    from = next + 1;
  };
  const all = text.split(/\r\n|\r|\n/);
  for (const [index, line] of all.entries()) {
    if (line.trim() === "") end(index + 1);
    else lines.push(line);
  }
  end(all.length + 1);
  return blocks;
}

function place(from: number, to: number, page: number | undefined): Pick<Block, "lines" | "page"> {
  return page === undefined ? { lines: { from, to } } : { page };
}
