import { createHash } from "node:crypto";

/**
 * Returns a conversation's id: a hash of the first prompt and of the client's key, if the client sends one. Each request of the
 * conversation has the same id.
 */
export function toConversationId(key: string | null | undefined, firstPrompt: string): string {
  return createHash("sha256")
    .update(`${key ?? ""}\n${firstPrompt}`)
    .digest("hex");
}
