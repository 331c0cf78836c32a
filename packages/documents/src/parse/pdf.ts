import { importOptional } from "@bridle/core";
import type { Block, DocumentFile, ParseContext } from "./block.ts";
import { DocumentError } from "./document-error.ts";
import { type ParseLimits, TextBudget } from "./parse-limits.ts";
import { paragraphsOf } from "./text.ts";

/** Reads a PDF page by page. A PDF without text, such as a scan, is an error. Needs the optional package unpdf. */
export async function parsePdf(
  { name, bytes }: DocumentFile,
  { limits, warn }: ParseContext,
): Promise<readonly Block[]> {
  const pages = await readPages(name, bytes, limits);
  const blocks = pages.flatMap((text, index) => paragraphsOf(text, index + 1));
  const empty = pages.flatMap((text, index) => (text.trim() === "" ? [index + 1] : []));
  if (blocks.length > 0 && empty.length > 0) warn(explainEmpty(empty));
  if (blocks.length > 0) return blocks;
  throw new DocumentError(name, "has no text; its pages may be images. Run text recognition (OCR) on it first.");
}

async function readPages(name: string, bytes: Uint8Array, limits: ParseLimits): Promise<readonly string[]> {
  const { getDocumentProxy } = await importOptional(
    ["unpdf"],
    () => import("unpdf"),
    (problem, cause) => new DocumentError(name, problem, { cause }),
  );
  try {
    const copy = new Uint8Array(bytes); // the parser detaches the buffer
    const document = await getDocumentProxy(copy, { verbosity: 0 });
    if (document.numPages > limits.pages) throw tooManyPages(name, document.numPages, limits.pages);
    const budget = new TextBudget(name, limits);
    const pages: string[] = [];
    for (let number = 1; number <= document.numPages; number += 1) {
      const page = await document.getPage(number);
      const text = textOfPage(await page.getTextContent());
      budget.add(text.length);
      pages.push(text);
      page.cleanup();
    }
    return pages;
  } catch (cause) {
    if (cause instanceof DocumentError) throw cause;
    if (cause instanceof Error && cause.name === "PasswordException")
      throw new DocumentError(name, "is protected by a password. Save it without one.", { cause });
    throw new DocumentError(name, `cannot be read as a PDF (${reasonOf(cause)}). Save it again.`, {
      cause,
    });
  }
}

/** The part of PDF.js's types that this parser needs, which unpdf does not export. */
interface PageText {
  readonly items: readonly ({ readonly str: string; readonly hasEOL: boolean } | { readonly type: string })[];
}

function textOfPage({ items }: PageText): string {
  return items.map((item) => ("str" in item ? `${item.str}${item.hasEOL ? "\n" : ""}` : "")).join("");
}

/** The maximum number of page ranges in a message. */
const maxRanges = 10;

function explainEmpty(pages: readonly number[]): string {
  const ranges: { from: number; to: number }[] = [];
  for (const page of pages) {
    const last = ranges.at(-1);
    if (last?.to === page - 1) last.to = page;
    else ranges.push({ from: page, to: page });
  }
  const named = ranges.slice(0, maxRanges).map(({ from, to }) => (from === to ? `${from}` : `${from}-${to}`));
  const more = ranges.length > maxRanges ? " and more" : "";
  return `has pages without text, which are empty or images: ${named.join(", ")}${more}. Text recognition (OCR) reads images.`;
}

function tooManyPages(name: string, pages: number, limit: number): DocumentError {
  const [found, max] = [pages, limit].map((count) => count.toLocaleString("en"));
  return new DocumentError(name, `has ${found} pages, more than the limit of ${max}. Split it.`);
}

function reasonOf(cause: unknown): string {
  return cause instanceof Error ? cause.message.replace(/\.$/, "") : String(cause);
}
