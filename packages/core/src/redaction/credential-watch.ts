import { maxLayers } from "./decoded-view.ts";
import { type KnownSecrets, minBeginningLength } from "./known-secrets.ts";
import { completesBeginning, maxBeginningLength } from "./search-forms.ts";
import { StreamDecoder, StreamUnwrapper } from "./stream-decoder.ts";

/**
 * Reads a text that arrives in pieces, and finds the pieces in which a credential may begin: the first characters of a known credential, or
 * the beginning of a form, in the text or in one of its decoded forms. If no credential is open, only these pieces have to be searched.
 * Looks only at the new characters and a few before them.
 */
export class CredentialWatch {
  readonly #known: KnownSecrets;
  readonly #layers: number;
  readonly #decoder = new StreamDecoder();
  readonly #unwrapper = new StreamUnwrapper();
  /** The end of the text so far, and of the text without line breaks. */
  #tail: string;
  #unwrapped: string;
  /** The text with its escapes decoded, from its first escape on. */
  #decoded: CredentialWatch | undefined;

  /** Starts a watch. `tail` is the end of the text that came before. `layers` is how many decoded forms of the text are searched. */
  constructor(known: KnownSecrets, tail = "", layers = maxLayers) {
    this.#known = known;
    this.#layers = layers;
    this.#tail = tail.slice(-maxBeginningLength);
    this.#unwrapped = this.#unwrapper.add(this.#tail, reach).slice(-reach);
  }

  /** Returns whether a credential may begin in this piece, or before it and continue in it. */
  add(piece: string): boolean {
    const before = this.#tail;
    const text = before + piece;
    this.#tail = text.slice(-maxBeginningLength);
    const isSeen = completesBeginning(text, before.length) || this.#known.mayBeginIn(text.slice(-piece.length - reach));
    const isUnwrapped = this.#addUnwrapped(piece, before);
    const isDecoded = this.#layers > 1 && this.#addDecoded(piece, before);
    return isSeen || isUnwrapped || isDecoded;
  }

  #addUnwrapped(piece: string, before: string): boolean {
    const added = this.#unwrapper.add(piece, reach);
    const text = this.#unwrapped + added;
    const isSame = added === piece && before.endsWith(this.#unwrapped);
    this.#unwrapped = text.slice(-reach);
    return this.#unwrapper.hasRejoined || (!isSame && this.#known.mayBeginIn(text));
  }

  #addDecoded(piece: string, before: string): boolean {
    const decoded = this.#decoder.add(piece);
    if (decoded !== piece) this.#decoded ??= new CredentialWatch(this.#known, before, this.#layers - 1);
    return this.#decoded?.add(decoded) ?? false;
  }
}

/** How many characters before a new character are compared with known credentials. */
const reach = minBeginningLength - 1;
