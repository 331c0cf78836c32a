import type { EventOf } from "../events/events.ts";

/** The reply to a call that still had an open question when its process ended. */
export const interruptedWhileAsking =
  "This call was not executed: the process that ran it ended while a person was asked about it.";

/**
 * Returns the reply to a call whose question was answered after its process ended. The answer applies to this call only; a new call is a
 * new question.
 */
export function answeredTooLate(decided: EventOf<"approval.decided">): string {
  const { decision, source, message, input } = decided;
  if (source !== "answer") return interruptedWhileAsking;
  const says = message === undefined ? "" : ` The person says: ${message}`;
  if (decision !== "allow")
    return `${interruptedWhileAsking} The person has not allowed it since. ${message ?? "Do not repeat it; continue without it."}`;
  if (input === undefined)
    return `${interruptedWhileAsking} The person has allowed it since. Call it again if it is still needed.${says}`;
  return `${interruptedWhileAsking} The person has allowed it since, with another input. If it is still needed, call it again with exactly this input: ${JSON.stringify(input)}${says}`;
}
