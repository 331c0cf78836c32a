/**
 * Remembers the canonical JSON of messages, with and without credentials, so that a turn does not serialize and search the whole
 * conversation again.
 */
import { canonicalJson, type HistoryMessage, type LoggedText } from "@bridle/protocol";
import { sha256OfPieces } from "../system/hash.ts";

interface Passage extends LoggedText {
  readonly messages: readonly HistoryMessage[];
  /** The canonical JSON of the messages, without the brackets of a list. `logged` is that JSON without credentials. */
  readonly text: string;
}

/** A part of a canonical JSON text. A passage contains only whole values. */
export type MessagePiece = string | Passage;

/** The remembered passages, by their first message. */
const passages = new WeakMap<HistoryMessage, Passage>();

/** Remembers the texts of consecutive messages. The messages must not change afterwards. */
export function rememberTexts(messages: readonly HistoryMessage[], text: string, logged: string): void {
  const [first] = messages;
  if (first) passages.set(first, { messages, text, logged });
}

/** Returns the items of a list as canonical JSON, without the list's brackets. */
export function listText(items: readonly unknown[]): string {
  return canonicalJson(items).slice(1, -1);
}

/** Returns the canonical JSON of messages in pieces, without the list's brackets. */
export function messagePieces(messages: readonly HistoryMessage[]): readonly MessagePiece[] {
  const pieces: MessagePiece[] = [];
  let others: HistoryMessage[] = [];
  const add = (piece?: Passage) => {
    for (const each of [others.length > 0 ? listText(others) : undefined, piece]) {
      if (each !== undefined) pieces.push(...(pieces.length > 0 ? [","] : []), each);
    }
    others = [];
  };
  for (let at = 0; at < messages.length; ) {
    const message = messages[at] as HistoryMessage;
    const passage = passages.get(message);
    if (passage?.messages.every((each, index) => messages[at + index] === each)) {
      add(passage);
      at += passage.messages.length;
    } else {
      others.push(message);
      at += 1;
    }
  }
  add();
  return pieces;
}

/** Whether a piece is remembered and has no credential. */
export function isClean(piece: MessagePiece): boolean {
  return typeof piece === "string" || piece.text === piece.logged;
}

/** Returns the SHA-256 of the pieces' text, with its credentials. */
export function hashPieces(pieces: readonly MessagePiece[]): string {
  return sha256OfPieces(pieces.map((piece) => (typeof piece === "string" ? piece : piece.text)));
}
