import type { CredentialSearch, Redactor } from "./redactor.ts";

/** The number of characters before a piece that are searched with it, because they may contain a credential's name and beginning. */
const contextLength = 512;

/** The maximum number of characters before a piece that are kept. */
const maxContextLength = 4096;

/** The maximum number of characters that are held back. */
const maxHeldLength = 8192;

/** From this many held characters on, the text is searched again only after it has grown by a quarter. */
const manyHeld = 512;

/**
 * Redacts one text that arrives in pieces. Holds back text that may be the beginning of a credential until enough text has arrived to tell.
 * If no text follows, the held text is dropped. The time is proportional to the length of all pieces together.
 */
export class Passage {
  readonly #redactor: Redactor;
  readonly #mayBegin: (piece: string) => boolean;
  /** The end of the text so far. */
  #window = "";
  /** How many characters of the window have been returned or replaced. */
  #done = 0;
  /** Whether the last replaced credential may continue in the next piece. */
  #isWithin = false;
  /** How many characters have arrived since the last search. */
  #unread = 0;
  /** Whether a credential may have begun that continues in the next piece. */
  #isOpen = false;

  constructor(redactor: Redactor) {
    this.#redactor = redactor;
    this.#mayBegin = redactor.watch?.() ?? (() => true);
  }

  /** Returns the part of the text that can be shown now. */
  add(piece: string): string {
    const { search } = this.#redactor;
    if (search === undefined) return this.#redactor.text(piece);
    const mayBegin = this.#mayBegin(piece); // sees every piece
    if (!this.#isOpen && !mayBegin) return this.#passOn(piece);
    if (!this.#isOpen) this.#trim(this.#window.length);
    this.#window += piece;
    this.#unread += piece.length;
    if (this.#canWait(piece)) return "";
    this.#unread = 0;
    const found = search(this.#window);
    this.#isOpen = found.isOpen;
    const isFull = this.#window.length - found.open > maxHeldLength;
    const shown = this.#release(found, isFull ? this.#window.length : found.open);
    if (isFull) this.#shorten(found.open);
    else this.#trim(found.open);
    return shown;
  }

  /** Returns a piece unsearched, because nothing is held back and no credential begins. It serves only as context for the next pieces. */
  #passOn(piece: string): string {
    this.#window += piece;
    if (this.#window.length > maxContextLength) this.#window = this.#window.slice(-contextLength);
    this.#done = this.#window.length;
    this.#isWithin = false;
    return piece;
  }

  #canWait(piece: string): boolean {
    const held = this.#window.length - this.#done;
    const isOpen = held > 4 * manyHeld || !/\s/.test(piece);
    return held - this.#unread > manyHeld && isOpen && this.#unread < held / 4;
  }

  #release({ findings }: CredentialSearch, ready: number): string {
    const parts: string[] = [];
    let at = this.#done;
    for (const { start, end, mark } of findings) {
      if (end <= this.#done || start >= ready) continue;
      if (start > at) parts.push(this.#window.slice(at, start));
      if (start >= this.#done || !this.#isWithin) parts.push(mark);
      this.#isWithin = true;
      at = end;
    }
    if (at < ready) {
      parts.push(this.#window.slice(at, ready));
      this.#isWithin = false;
      at = ready;
    }
    this.#done = at;
    return parts.join("");
  }

  /** Keeps the open part and the words before it. */
  #trim(open: number): void {
    const from = Math.min(open, this.#done, startOfWord(this.#window, this.#window.length - contextLength));
    this.#window = this.#window.slice(from);
    this.#done -= from;
  }

  /** Keeps only the beginning and the end of an open credential that is too long, so that its rest is still found. */
  #shorten(open: number): void {
    this.#window = this.#window.slice(open, open + contextLength) + this.#window.slice(-contextLength);
    this.#done = this.#window.length;
  }
}

/** Returns the start of the first word at or after a position. */
function startOfWord(text: string, position: number): number {
  if (position <= 0) return 0;
  const [space] = /\s/.exec(text.slice(position)) ?? [];
  return space === undefined ? position : text.indexOf(space, position);
}
