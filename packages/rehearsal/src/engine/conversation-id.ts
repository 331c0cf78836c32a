import { createHash } from "node:crypto";

/**
 * The id of a conversation, the same in each of its requests: a hash of the client's key, if it sends one, and the first
 * prompt.
 */
export function toConversationId(key: string | null | undefined, firstPrompt: string): string {
  return createHash("sha256")
    .update(`${key ?? ""}\n${firstPrompt}`)
    .digest("hex");
}
