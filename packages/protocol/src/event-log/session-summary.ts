import { messageText } from "../conversation/prompt.ts";
import type { EventOf } from "../events/events.ts";
import type { SessionSummary } from "./event-log.ts";

/** The characters of a first prompt in a list of sessions. */
const shownChars = 200;

/** The texts of a session in a list: the labels of its newest run and its first prompt. */
export function describeSession(
  newestStart: Pick<EventOf<"run.started">, "labels"> | undefined,
  firstInput: Pick<EventOf<"model.input">, "messages"> | undefined,
): Pick<SessionSummary, "labels" | "firstPrompt"> {
  const labels = newestStart?.labels;
  const message = firstInput?.messages.find(({ role }) => role === "user");
  const text =
    message &&
    (typeof message.content === "string" ? message.content : messageText({ ...message, content: message.content }));
  return { ...(labels && { labels }), ...(text && { firstPrompt: text.slice(0, shownChars) }) };
}
