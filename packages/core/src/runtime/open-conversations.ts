import type { Conversation } from "@bridle/protocol";

/** What a backend has open, so that its end is the end of all of it. */
export interface OpenConversations {
  /** The same conversation, known here until it is closed. */
  keep(conversation: Conversation): Conversation;
  /** Closes those that are open and waits for it. */
  close(): Promise<void>;
}

export function createOpenConversations(): OpenConversations {
  const open = new Set<Conversation>();
  return {
    keep(conversation) {
      const kept: Conversation = {
        ...conversation,
        async close() {
          open.delete(kept);
          await conversation.close();
        },
      };
      open.add(kept);
      return kept;
    },
    async close() {
      await Promise.all([...open].map((conversation) => conversation.close()));
    },
  };
}
