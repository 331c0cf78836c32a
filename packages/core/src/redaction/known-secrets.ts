/** Finds known credentials in any of their spellings. */
import { endIn, listViews, positionIn, unwrapView, type View } from "./decoded-view.ts";
import { markKnown, type SecretFinding } from "./finding.ts";
import { partsOfSecret } from "./secret-spellings.ts";

/** A credential, and the name of its variable or setting. */
export interface KnownSecret {
  readonly value: string;
  readonly name?: string | undefined;
  /**
   * Whether a file of the project contains the text, so that the file's author chose it. Approvals show such a text, because replacing it
   * could hide a part of the code that runs. Default: false.
   */
  readonly isWritten?: boolean | undefined;
}

/** A shorter credential is replaced only if it is the whole text. */
const minLengthAnywhere = 6;

/** The minimum length of a credential's recognised beginning. Fewer characters reveal little, and many words begin with them. */
export const minBeginningLength = 4;

type Alphabet = "exact" | "blanks" | "base64" | "hex";

interface Spelling {
  readonly text: string;
  /** Which characters count as equal. */
  readonly alphabet: Alphabet;
  readonly mark: string;
}

/**
 * Finds the known credentials in a text in one pass, however many are known: by the hash of four characters, then by comparison. Escapes
 * are decoded first, so a credential may be escaped in whole or in part, in several layers.
 */
export class KnownSecrets {
  readonly #whole = new Map<string, string>();
  /** Spellings by the hash of their first six characters. All spellings have at least six. */
  readonly #spellings = new Map<number, Spelling[]>();
  /** Spellings by the hash of their first four characters. */
  readonly #beginnings = new Map<number, Spelling[]>();
  /** Which hashes the first four characters of spellings have, modulo the size. */
  readonly #begins = new Uint8Array(1 << 16);
  /** Which two characters spellings begin with, modulo the size. Because of this check, most positions of a text need no hash. */
  readonly #pairs = new Uint8Array(1 << 14);
  #longest = 0;

  constructor(secrets: readonly KnownSecret[]) {
    for (const { value: given, name } of secrets) {
      for (const value of new Set(partsOfSecret(given))) {
        if (value.trim() === "") continue;
        const mark = markKnown(name, value);
        if (!this.#whole.has(value)) this.#whole.set(value, mark);
        if (value.length >= minLengthAnywhere) this.#add(value, mark);
      }
    }
  }

  get isEmpty(): boolean {
    return this.#whole.size === 0;
  }

  /** The length of the longest spelling. */
  get longest(): number {
    return this.#longest;
  }

  /** Returns the mark for a text that is a known credential as a whole. */
  markOf(text: string): string | undefined {
    return this.#whole.get(text);
  }

  /** Finds all occurrences, which may overlap. `views` are the decoded forms of the text. */
  find(views: readonly View[]): SecretFinding[] {
    if (this.#spellings.size === 0) return [];
    return views.flatMap((view) => {
      const unwrapped = unwrapView(view);
      return [...this.#findIn(view), ...(unwrapped === undefined ? [] : this.#findIn(unwrapped))];
    });
  }

  /** Returns the first position of a credential that may continue after the end of the text. */
  begins(views: readonly View[]): number | undefined {
    const starts = views.flatMap((view) => {
      const forms = [view, unwrapView(view)].filter((each) => each !== undefined);
      return forms.flatMap((form) => this.#beginsIn(form) ?? []);
    });
    return starts.length === 0 ? undefined : Math.min(...starts);
  }

  /** Whether the first characters of a credential are in a text. */
  mayBeginIn(text: string): boolean {
    for (let at = 0; at + minBeginningLength <= text.length; at += 1) {
      if (this.#pairs[pairAt(text, at)] === 0) continue;
      const hash = hashAt(text, at);
      const found = this.#beginnings.get(hash) ?? [];
      if (found.some((each) => commonLength(text, at, each) >= minBeginningLength)) return true;
    }
    return false;
  }

  #add(value: string, mark: string): void {
    const add = (text: string, alphabet: Alphabet) => {
      if (text.length < minLengthAnywhere) return;
      const others = this.#spellings.get(longHashAt(text, 0)) ?? [];
      if (others.some((each) => each.text === text && each.alphabet === alphabet)) return;
      const spelling = { text, alphabet, mark };
      const hash = hashAt(text, 0);
      this.#begins[hash & 0xffff] = 1;
      this.#pairs[pairAt(text, 0)] = 1;
      this.#beginnings.set(hash, [...(this.#beginnings.get(hash) ?? []), spelling]);
      this.#spellings.set(longHashAt(text, 0), [...others, spelling]);
      this.#longest = Math.max(this.#longest, text.length);
    };
    const forms = listViews(value).flatMap((view) => [view.text, unwrapView(view)?.text ?? view.text]);
    for (const text of new Set(forms)) add(text, text.includes(" ") ? "blanks" : "exact");
    add(Buffer.from(value).toString("hex"), "hex");
    for (const before of [0, 1, 2]) add(inBase64(value, before), "base64");
  }

  #findIn(view: View): SecretFinding[] {
    const { text } = view;
    const found: SecretFinding[] = [];
    const last = text.length - minLengthAnywhere;
    for (let at = 0; at <= last; at += 1) {
      if (this.#pairs[pairAt(text, at)] === 0 || this.#begins[hashAt(text, at) & 0xffff] === 0) continue;
      for (const spelling of this.#spellings.get(longHashAt(text, at)) ?? []) {
        const length = spelling.text.length;
        if (commonLength(text, at, spelling) < length) continue;
        found.push({
          start: positionIn(view, at),
          end: endIn(view, at + length),
          mark: spelling.mark,
          known: true,
        });
      }
    }
    return found;
  }

  #beginsIn(view: View): number | undefined {
    const { text } = view;
    const end = text.length;
    for (let at = Math.max(0, end - this.#longest); at + minBeginningLength <= end; at += 1) {
      if (this.#pairs[pairAt(text, at)] === 0) continue;
      const hash = hashAt(text, at);
      const rest = end - at;
      const isOpen = (this.#beginnings.get(hash) ?? []).some(
        (each) => each.text.length > rest && commonLength(text, at, each) >= rest,
      );
      if (isOpen) return positionIn(view, at);
    }
    return undefined;
  }
}

/** Counts the characters at this position that equal the beginning of a spelling. */
function commonLength(text: string, at: number, { text: spelling, alphabet }: Spelling): number {
  let length = 0;
  while (length < spelling.length && isSame(text.charCodeAt(at + length), spelling.charCodeAt(length), alphabet)) {
    length += 1;
  }
  return length;
}

const [blank, plus, minus, slash, underscore] = [" ", "+", "-", "/", "_"].map((each) => each.charCodeAt(0));

function isSame(found: number, wanted: number, alphabet: Alphabet): boolean {
  if (found === wanted) return true;
  if (alphabet === "exact") return false;
  if (alphabet === "blanks") return wanted === blank && found === plus;
  if (alphabet === "hex") return wanted >= 97 && found + 32 === wanted;
  return (wanted === plus && found === minus) || (wanted === slash && found === underscore);
}

/** Returns an index for two characters. Characters that count as equal in an alphabet have the same index. */
function pairAt(text: string, at: number): number {
  const first = plainCodes[text.charCodeAt(at) & 127] ?? 0;
  return (first << 7) | (plainCodes[text.charCodeAt(at + 1) & 127] ?? 0);
}

/** Returns a hash of four characters. Characters that count as equal in an alphabet have the same hash. */
function hashAt(text: string, at: number): number {
  const a = plainCode(text.charCodeAt(at));
  const b = plainCode(text.charCodeAt(at + 1));
  const c = plainCode(text.charCodeAt(at + 2));
  const d = plainCode(text.charCodeAt(at + 3));
  return (
    (Math.imul(a, 0x1f35_1f35) ^ Math.imul(b, 0x3ad8_025f) ^ Math.imul(c, 0x0a9b_4c2d) ^ Math.imul(d, 0x2c1b_3c6d)) >>>
    8
  );
}

/** Returns a hash of six characters. */
function longHashAt(text: string, at: number): number {
  return Math.imul(hashAt(text, at), 31) ^ hashAt(text, at + 2);
}

const plainCodes = Uint8Array.from({ length: 128 }, (_, code) => plainCode(code));

function plainCode(code: number): number {
  if (code === blank || code === minus) return plus ?? code;
  if (code === underscore) return slash ?? code;
  return code >= 65 && code <= 90 ? code + 32 : code;
}

/** Returns the base64 characters that depend only on the text, if the text starts at this offset (modulo three). */
function inBase64(text: string, before: number): string {
  const bytes = Buffer.concat([Buffer.alloc(before), Buffer.from(text)]);
  return bytes.toString("base64").slice(Math.ceil((before * 8) / 6), Math.floor((bytes.length * 8) / 6));
}
