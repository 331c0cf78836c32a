import { createHash } from "node:crypto";

/**
 * The id of a conversation, the same in each of its requests: by the key that the client gives it, where it does, and
 * by its first prompt.
 */
export function toConversationId(key: string | null | undefined, firstPrompt: string): string {
  return createHash("sha256")
    .update(`${key ?? ""}\n${firstPrompt}`)
    .digest("hex");
}
