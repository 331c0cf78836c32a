import type { HistoryMessage } from "@bridle/protocol";
import { hashPieces, messagePieces } from "./message-texts.ts";

/** Equal for equal histories only: SHA-256 over their messages, calls and results. */
export function fingerprintHistory(history: readonly HistoryMessage[]): string {
  return hashPieces(["[", ...messagePieces(history), "]"]);
}
