import { DocumentError } from "./document-error.ts";

/** Limits for one file, so that a small file cannot become a huge index. */
export interface ParseLimits {
  /** The maximum length of the text of all blocks, in UTF-16 units. */
  readonly characters: number;
  /** The maximum size of the content of an archive, such as a Word document, in bytes. */
  readonly unpackedBytes: number;
  readonly pages: number;
}

/** Returns the limits for a file of this size. Real documents stay far below these limits. */
export function parseLimitsFor(bytes: number): ParseLimits {
  return {
    characters: Math.max(10_000_000, 10 * bytes),
    unpackedBytes: Math.max(100_000_000, 20 * bytes),
    pages: 10_000,
  };
}

/** Counts the text of a document while it is read. */
export class TextBudget {
  readonly #name: string;
  readonly #limit: number;
  #used = 0;

  constructor(name: string, { characters }: Pick<ParseLimits, "characters">) {
    this.#name = name;
    this.#limit = characters;
  }

  /** Counts characters. Throws a DocumentError if the document exceeds its limit. */
  add(characters: number): void {
    this.#used += characters;
    if (this.#used <= this.#limit) return;
    const max = this.#limit.toLocaleString("en");
    throw new DocumentError(this.#name, `has more than ${max} characters of text when it is read. Split it.`);
  }
}
