/** Renders a claim as a paragraph: its statement with source marks, and other wordings that add information. Pure. */

import type { Claim, ClaimSource } from "../claims/claim.ts";
import { addsToWordings } from "../claims/wording/compare-wordings.ts";
import { readWording, type Wording } from "../claims/wording/read-wording.ts";
import type { StatementBody } from "../sources/candidate.ts";
import { escapeMarkdown } from "./markdown-text.ts";
import type { CitedDocument, PageText, TextPart } from "./page-content.ts";

/** A claim that appears on a page. */
export interface StatementClaim extends Claim {
  readonly body: StatementBody;
}

export function isStatementClaim(claim: Claim): claim is StatementClaim {
  return claim.body.kind === "statement";
}

/** The maximum number of source marks after a text. The front matter lists all documents. */
const maxMarks = 20;

/** The length of a paragraph from which on no more wordings are added. */
const maxTextChars = 1200;

/** Renders the paragraph of a claim. */
export function claimText(claim: StatementClaim, prefix = ""): PageText {
  const { id, body, sources } = claim;
  const main = readWording(body.subject, body.statement);
  const shown: { readonly wording: Wording; readonly text: string; readonly sources: ClaimSource[] }[] = [
    { wording: main, text: body.statement, sources: [] },
  ];
  for (const source of sources) {
    const wording = readWording(body.subject, source.wording);
    const known = shown.find((each) => each.wording.form === wording.form);
    if (known !== undefined) known.sources.push(source);
    else if (
      lengthOf(shown) < maxTextChars &&
      addsToWordings(
        wording,
        shown.map((each) => each.wording),
      )
    ) {
      shown.push({ wording, text: source.wording, sources: [source] });
    } else shown[0]?.sources.push(source);
  }
  const parts = shown.map(({ text, sources: own }, index): TextPart => {
    const lead = index === 0 ? prefix : "Also: ";
    return {
      text: `${lead}${index === 0 && prefix !== "" ? toInline(text) : escapeMarkdown(text)}`,
      sources: documentsOf(own),
    };
  });
  return { key: id, parts: withSince(parts, claim), claims: [id] };
}

function lengthOf(shown: readonly { readonly text: string }[]): number {
  return shown.reduce((sum, { text }) => sum + text.length, 0);
}

/** Removes escapes at the beginning, which only a text at the beginning of a line needs. */
function toInline(text: string): string {
  return escapeMarkdown(`x ${text}`).slice(2);
}

function withSince([first, ...others]: readonly TextPart[], { body, status }: StatementClaim): readonly TextPart[] {
  const { since, statement } = body;
  if (first === undefined || since === undefined || status === "superseded" || statement.includes(since)) {
    return first === undefined ? others : [first, ...others];
  }
  return [{ ...first, text: `${first.text} (since ${since})` }, ...others];
}

function documentsOf(sources: readonly ClaimSource[]): readonly CitedDocument[] {
  const documents = sources.map(({ source, item, title, updatedAt, location }) => ({
    source,
    item,
    title,
    updated: updatedAt?.slice(0, 10),
    location,
  }));
  return [...new Map(documents.map((each) => [documentKey(each), each])).values()];
}

/** Returns a key for a source's document, which is equal for all sources in that document. */
export function documentKey({ source, item }: Pick<CitedDocument, "source" | "item">): string {
  return JSON.stringify([source, item]);
}

/** Returns the length of a paragraph, assuming marks of two digits. */
export function sizeOfText({ parts }: PageText): number {
  return parts.reduce(
    (sum, { text, sources }) => sum + text.length + 1 + 5 * Math.min(sources.length, maxMarks) + 12,
    0,
  );
}

/** The numbers of documents on a page, in the order of their marks. */
export class PageCitations {
  readonly documents: CitedDocument[] = [];
  readonly #numbers = new Map<string, number>();

  format({ parts }: PageText): string {
    return parts.map(({ text, sources }) => [text, ...this.#marks(sources)].join(" ")).join(" ");
  }

  #marks(sources: readonly CitedDocument[]): readonly string[] {
    const numbers = sources.map((document) => this.#numberOf(document));
    const marks = numbers
      .slice(0, maxMarks)
      .map((number) => `[${number}]`)
      .join("");
    const more = numbers.length - maxMarks;
    if (marks === "") return [];
    return [more > 0 ? `${marks} and ${more} more` : marks];
  }

  #numberOf(document: CitedDocument): number {
    const key = documentKey(document);
    const known = this.#numbers.get(key);
    if (known !== undefined) return known;
    this.documents.push(document);
    this.#numbers.set(key, this.documents.length);
    return this.documents.length;
  }
}
