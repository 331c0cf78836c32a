import type { EventOf } from "../events/events.ts";

/** What the model is told of a call whose question was open when its run broke off. */
export const brokeOffWhileAsking =
  "This call was not executed: the process that ran it ended while a person was asked about it.";

/** The same with what was answered since. An answer is about its call alone: a new one is asked about again. */
export function answeredTooLate(decided: EventOf<"approval.decided">): string {
  const { decision, source, message, input } = decided;
  if (source !== "answer") return brokeOffWhileAsking;
  const says = message === undefined ? "" : ` The person says: ${message}`;
  if (decision !== "allow")
    return `${brokeOffWhileAsking} The person has not allowed it since. ${message ?? "Do not repeat it; go on without it."}`;
  if (input === undefined)
    return `${brokeOffWhileAsking} The person has allowed it since. Call it again if it is still wanted.${says}`;
  return `${brokeOffWhileAsking} The person has allowed it since, with this input instead; if it is still wanted, call it again with exactly it: ${JSON.stringify(input)}${says}`;
}
