import type { HistoryMessage } from "@bridle/protocol";
import { hashPieces, messagePieces } from "./message-texts.ts";

/** Returns the SHA-256 of a history's messages, calls and results: equal for equal histories only. */
export function fingerprintHistory(history: readonly HistoryMessage[]): string {
  return hashPieces(["[", ...messagePieces(history), "]"]);
}
