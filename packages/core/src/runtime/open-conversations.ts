import type { Conversation } from "@bridle/protocol";

/** What a backend has open, so that its end is the end of all of it. */
export interface OpenConversations {
  /** The same conversation, known here until it is closed. */
  track(conversation: Conversation): Conversation;
  /** Closes those that are open and waits for it. */
  close(): Promise<void>;
}

export function createOpenConversations(): OpenConversations {
  const open = new Set<Conversation>();
  return {
    track(conversation) {
      const tracked: Conversation = {
        ...conversation,
        async close() {
          open.delete(tracked);
          await conversation.close();
        },
      };
      open.add(tracked);
      return tracked;
    },
    async close() {
      await Promise.all([...open].map((conversation) => conversation.close()));
    },
  };
}
