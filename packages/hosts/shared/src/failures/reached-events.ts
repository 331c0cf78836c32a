import { type BackendEvent, type BridleError, omitUndefined, UsageLimitError } from "@bridle/protocol";

/** Returns the event for a used-up usage window that caused the failure. Returns an empty list for other failures. */
export function reachedEvents(problem: BridleError): BackendEvent[] {
  if (!(problem instanceof UsageLimitError)) return [];
  const { window = "subscription", resetsAt } = problem;
  return [omitUndefined({ type: "limit.reached" as const, window, resetsAt: resetsAt?.getTime() })];
}
