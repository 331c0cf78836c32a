import { type Conversation, override } from "@bridle/protocol";

/** The open conversations of a backend, so that closing the backend closes all of them. */
export interface OpenConversations {
  /** Tracks a conversation until it is closed, and returns it. */
  track(conversation: Conversation): Conversation;
  /** Closes all open conversations and waits until they have closed. */
  close(): Promise<void>;
}

export function createOpenConversations(): OpenConversations {
  const open = new Set<Conversation>();
  return {
    track(conversation) {
      const tracked: Conversation = override(conversation, {
        async close() {
          open.delete(tracked);
          await conversation.close();
        },
      });
      open.add(tracked);
      return tracked;
    },
    async close() {
      await Promise.all([...open].map((conversation) => conversation.close()));
    },
  };
}
