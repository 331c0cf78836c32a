import type { PromptToSend } from "@bridle/client";

/** A message that waits to be sent. Its id makes it count once, however often it is sent. */
export interface QueuedPrompt extends Pick<PromptToSend, "prompt" | "attachments"> {
  readonly id: string;
}

const prefix = "bridle.queue.";

/** What this tab has not sent yet, so that a reload loses nothing. Other tabs have their own, so that nothing is sent twice. */
export function readQueue(session: string): readonly QueuedPrompt[] {
  try {
    const stored: unknown = JSON.parse(sessionStorage.getItem(prefix + session) ?? "[]");
    return Array.isArray(stored) ? stored.filter(isQueued) : [];
  } catch {
    return [];
  }
}

export function writeQueue(session: string, prompts: readonly QueuedPrompt[]): void {
  try {
    if (prompts.length === 0) sessionStorage.removeItem(prefix + session);
    else sessionStorage.setItem(prefix + session, JSON.stringify(prompts));
  } catch {
    // too large for the storage: the messages are still on the page
  }
}

function isQueued(value: unknown): value is QueuedPrompt {
  return typeof value === "object" && value !== null && "id" in value && "prompt" in value;
}
