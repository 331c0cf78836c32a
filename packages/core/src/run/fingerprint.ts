import { canonicalJson, type HistoryMessage } from "@bridle/protocol";
import { sha256 } from "../system/hash.ts";

/** Equal for equal histories only: SHA-256 over their messages, calls and results. */
export function fingerprintHistory(history: readonly HistoryMessage[]): string {
  return sha256(canonicalJson(history));
}
