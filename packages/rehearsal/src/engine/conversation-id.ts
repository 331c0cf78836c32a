import { createHash } from "node:crypto";

/**
 * Returns the id of a conversation, which is the same in each of its requests: a hash of the first prompt and of the client's key, if the
 * client sends one.
 */
export function toConversationId(key: string | null | undefined, firstPrompt: string): string {
  return createHash("sha256")
    .update(`${key ?? ""}\n${firstPrompt}`)
    .digest("hex");
}
