import { type BackendEvent, type BridleError, omitUndefined, UsageLimitError } from "@bridle/protocol";

/** Returns the event for a window that refused the request. Returns an empty list for another failure. */
export function reachedEvents(problem: BridleError): BackendEvent[] {
  if (!(problem instanceof UsageLimitError)) return [];
  const { window = "subscription", resetsAt } = problem;
  return [omitUndefined({ type: "limit.reached" as const, window, resetsAt: resetsAt?.getTime() })];
}
