import { type EventLog, type Message, messageText, type PromptMessage } from "@bridle/protocol";
import { isTestSession } from "../events/find-session.ts";

/** Limits the search to the newest events of a few sessions, so that a chat does not wait for a long log. */
const [maxSessions, maxEvents] = [12, 120];

/** Reads the prompts of the project's newest sessions, except those of `current` and of test cases; the oldest first. */
export async function readEarlierPrompts(
  eventLog: Pick<EventLog, "sessions" | "read">,
  current: string,
): Promise<readonly string[]> {
  const sessions = await eventLog.sessions({ last: maxSessions });
  const prompts: string[] = [];
  for (const session of sessions.toReversed()) {
    const { sessionId } = session;
    if (sessionId === current || isTestSession(session)) continue;
    for (const event of await eventLog.read({ sessionId, last: maxEvents, withoutDeltas: true })) {
      if (event.type !== "model.input") continue;
      prompts.push(...event.messages.filter(({ role }) => role === "user").map(typedText));
    }
  }
  return prompts;
}

/** Returns the text of a prompt without the attached files. */
export function typedText({ role, content }: PromptMessage | Message): string {
  return typeof content === "string" ? content : messageText({ role, content });
}
