import type { PromptToSend } from "@bridle/client";

/** A message that is waiting to be sent. Because of its id, it is processed only once, even if it is sent several times. */
export interface QueuedPrompt extends Pick<PromptToSend, "prompt" | "attachments"> {
  readonly id: string;
  /** Files that did not fit in the storage and were lost when the page was reloaded. The message is not sent without them. */
  readonly lost?: readonly string[];
}

const prefix = "bridle.queue.";

/**
 * Reads this tab's unsent messages. They are kept when the page is reloaded. Other tabs have their own queue, so that nothing is sent
 * twice.
 */
export function readQueue(session: string, place: Place = sessionStorage): readonly QueuedPrompt[] {
  try {
    const stored: unknown = JSON.parse(place.getItem(prefix + session) ?? "[]");
    return Array.isArray(stored) ? stored.filter(isQueued) : [];
  } catch {
    return [];
  }
}

type Place = Pick<Storage, "getItem" | "setItem" | "removeItem">;

export function writeQueue(session: string, prompts: readonly QueuedPrompt[], place: Place = sessionStorage): void {
  const key = prefix + session;
  try {
    if (prompts.length === 0) place.removeItem(key);
    else place.setItem(key, JSON.stringify(prompts));
  } catch {
    writeWithoutFiles(key, prompts, place);
  }
}

/** Stores the messages without their files, which exceed a tab's storage of about 5 MB. The text of a message always fits. */
function writeWithoutFiles(key: string, prompts: readonly QueuedPrompt[], place: Place): void {
  const lean = prompts.map(({ attachments = [], ...prompt }) =>
    attachments.length === 0 ? prompt : { ...prompt, lost: attachments.map(({ name = "a file" }) => name) },
  );
  try {
    place.setItem(key, JSON.stringify(lean));
  } catch {
    // the messages are still on the page
  }
}

function isQueued(value: unknown): value is QueuedPrompt {
  return typeof value === "object" && value !== null && "id" in value && "prompt" in value;
}
