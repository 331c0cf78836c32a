import type { Block, LineRange } from "../parse/block.ts";
import { splitText } from "./split-text.ts";
import { countQuarters, estimateTokens } from "./tokens.ts";

/** A passage of a document. Searches return whole chunks. */
export interface Chunk {
  readonly text: string;
  /** The headings above the chunk, outermost first, without Markdown marks. */
  readonly headings: readonly string[];
  readonly lines?: LineRange;
  /** The first page or slide of the chunk, from 1. */
  readonly page?: number;
  /** The last page of the chunk if it differs from `page`. */
  readonly lastPage?: number;
}

export interface ChunkOptions {
  /** The maximum length of a chunk in estimated tokens. Default: 800. */
  readonly maxTokens?: number | undefined;
  /** The number of tokens at the end of a chunk that the next chunk of the section repeats. Default: 0. */
  readonly overlapTokens?: number | undefined;
}

export const chunkDefaults = { maxTokens: 800, overlapTokens: 0 } as const;

/**
 * Splits a document along its structure. No chunk crosses a heading, and paragraphs, lists, tables and code stay whole if they fit. Longer
 * blocks are split between lines, then sentences, then words; each piece of a table repeats its header. Together, the chunks contain the
 * text of every block. Pure.
 */
export function chunkDocument(blocks: readonly Block[], options: ChunkOptions = {}): readonly Chunk[] {
  const { maxTokens = chunkDefaults.maxTokens, overlapTokens = chunkDefaults.overlapTokens } = options;
  return sectionsOf(blocks).flatMap(({ headings, parts }) =>
    fill(
      parts.flatMap((block) => split(block, maxTokens)),
      maxTokens,
      overlapTokens,
    ).map((chunk) => ({ ...chunk, headings })),
  );
}

interface Section {
  readonly headings: readonly string[];
  readonly parts: readonly Block[];
}

/** Divides blocks into sections, each of which begins with its heading. Merges a section of only headings with the next one. */
function sectionsOf(blocks: readonly Block[]): readonly Section[] {
  const sections: { headings: string[]; parts: Block[] }[] = [];
  let path: { depth: number; title: string }[] = [];
  for (const block of blocks) {
    const last = sections.at(-1);
    if (block.kind !== "heading") {
      if (last) last.parts.push(block);
      else sections.push({ headings: [], parts: [block] });
      continue;
    }
    const depth = block.depth ?? 1;
    path = [...path.filter((outer) => outer.depth < depth), { depth, title: titleOf(block.text) }];
    const headings = path.map(({ title }) => title);
    if (last?.parts.at(-1)?.kind === "heading") Object.assign(last, { headings }).parts.push(block);
    else sections.push({ headings, parts: [block] });
  }
  return sections;
}

/** The maximum length of a title. Longer titles are cut, because each passage repeats its titles. */
const maxTitleChars = 300;

/** Removes the Markdown marks of a heading: `## Title ##`, or a line of `===` below the title. */
function titleOf(heading: string): string {
  const text = heading.length > maxTitleChars ? `${heading.slice(0, maxTitleChars - 1)}…` : heading;
  return text
    .replace(/^#{1,6}[ \t]+/, "")
    .replace(/[ \t]+#+[ \t]*$/, "")
    .replace(/\n[=-]+[ \t]*$/, "")
    .replaceAll(/\s+/g, " ")
    .trim();
}

/** Splits a block into pieces of at most `maxTokens`. */
function split(block: Block, maxTokens: number): readonly Block[] {
  if (estimateTokens(block.text) <= maxTokens) return [block];
  const header = block.head !== undefined && estimateTokens(block.head) < maxTokens / 2 ? `${block.head}\n` : "";
  const pieces = splitText(block.text, maxTokens - estimateTokens(header));
  return pieces.map(({ text, line, lastLine }, index) => ({
    ...block,
    text: index === 0 ? text : `${header}${text}`,
    ...(block.lines && { lines: { from: block.lines.from + line, to: block.lines.from + lastLine } }),
  }));
}

type Filled = Omit<Chunk, "headings">;

function fill(parts: readonly Block[], maxTokens: number, overlapTokens: number): readonly Filled[] {
  const chunks: Filled[] = [];
  let open: Block[] = [];
  let quarters = 0;
  for (const part of parts) {
    if (open.length > 0 && Math.ceil(quarters / 4) + estimateTokens(part.text) > maxTokens) {
      chunks.push(close(open));
      open = overlap(open, overlapTokens);
      quarters = countQuarters(join(open));
    }
    quarters += countQuarters(open.length > 0 ? `${separator}${part.text}` : part.text);
    open.push(part);
  }
  return open.length > 0 ? [...chunks, close(open)] : chunks;
}

function close(parts: readonly Block[]): Filled {
  const lines = parts.flatMap((part) => part.lines ?? []);
  const pages = parts.flatMap((part) => part.page ?? []);
  const [page, lastPage] = [pages[0], pages.at(-1)];
  return {
    text: join(parts),
    ...(lines.length > 0 && {
      lines: { from: Math.min(...lines.map(({ from }) => from)), to: Math.max(...lines.map(({ to }) => to)) },
    }),
    ...(page !== undefined && { page }),
    ...(lastPage !== undefined && lastPage !== page && { lastPage }),
  };
}

/** Returns the last parts that fit, or the end of the last part if it does not fit. */
function overlap(parts: readonly Block[], overlapTokens: number): Block[] {
  const last = parts.at(-1);
  if (overlapTokens === 0 || last === undefined) return [];
  const kept = parts.filter((_, index) => estimateTokens(join(parts.slice(index))) <= overlapTokens);
  if (kept.length > 0) return [...kept];
  const text = splitText(last.text, overlapTokens).at(-1)?.text ?? "";
  return [{ ...last, text, ...(last.lines && { lines: { from: last.lines.to, to: last.lines.to } }) }];
}

const separator = "\n\n";

function join(parts: readonly Block[]): string {
  return parts.map(({ text }) => text).join(separator);
}
