import { messageText } from "../conversation/prompt.ts";
import type { EventOf } from "../events/events.ts";
import type { SessionSummary } from "./event-log.ts";

/** Characters of a first prompt that a list of sessions shows. */
const shownChars = 200;

/** What a list tells of a session beside its figures, from the start of its newest run and its first input. */
export function describeSession(
  newestStart: Pick<EventOf<"run.started">, "labels"> | undefined,
  firstInput: Pick<EventOf<"model.input">, "messages"> | undefined,
): Pick<SessionSummary, "labels" | "firstPrompt"> {
  const labels = newestStart?.labels;
  const said = firstInput?.messages.find(({ role }) => role === "user");
  const text =
    said && (typeof said.content === "string" ? said.content : messageText({ ...said, content: said.content }));
  return { ...(labels && { labels }), ...(text && { firstPrompt: text.slice(0, shownChars) }) };
}
