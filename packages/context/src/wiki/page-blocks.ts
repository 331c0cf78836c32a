/** Splits a page's body at blank lines into blocks: headings, paragraphs, lists and code. Pure. */

export interface PageBlock {
  /** The text, without surrounding blank lines. */
  readonly text: string;
  /** The offset of the text in the body. */
  readonly offset: number;
  readonly kind: "heading" | "text";
}

/** Splits a body. A code fence and an HTML comment are one block each, including blank lines. */
export function splitBlocks(body: string): readonly PageBlock[] {
  const blocks: PageBlock[] = [];
  let [lines, start, offset]: [string[], number, number] = [[], 0, 0];
  let end: RegExp | undefined;
  const close = () => {
    const text = lines.join("\n");
    if (lines.length > 0) blocks.push({ text, offset: start, kind: kindOf(text) });
    lines = [];
  };
  for (const line of body.split("\n")) {
    if (end === undefined && line.trim() === "") close();
    else {
      if (end === undefined && isHeading(line)) close();
      if (lines.length === 0) start = offset;
      lines.push(line);
      end = end === undefined ? endOfOpened(line) : end.test(line) ? undefined : end;
      if (end === undefined && lines.length === 1 && isHeading(line)) close();
    }
    offset += line.length + 1;
  }
  close();
  return blocks.map((block) => ({ ...block, text: block.text.replace(/\s+$/, "") }));
}

function kindOf(text: string): PageBlock["kind"] {
  return isHeading(text) ? "heading" : "text";
}

function isHeading(line: string): boolean {
  return /^ {0,3}#{1,6}(?:[ \t][^\n]*)?$/.test(line);
}

/** Returns a pattern for the last line of the block that `line` opens; undefined if the block ends at a blank line. */
function endOfOpened(line: string): RegExp | undefined {
  const fence = /^ {0,3}(`{3,}(?=[^`]*$)|~{3,})/.exec(line)?.[1];
  if (fence !== undefined) return new RegExp(`^ {0,3}${fence[0]}{${fence.length},}[ \\t]*$`);
  return /^ {0,3}<!--(?!.*-->)/.test(line) ? /-->/ : undefined;
}
