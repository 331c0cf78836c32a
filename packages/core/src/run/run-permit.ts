import type { EventDraft } from "@bridle/protocol";
import type { JournalWriter } from "../event-log/journal.ts";
import type { AccountLimiter } from "../limits/account-limiter.ts";
import type { Permit } from "../limits/permit.ts";

/** Requests the permit of a run. Logs waits for used-up windows, and calls `failed` if the event log fails. */
export function requestPermit(
  limiter: AccountLimiter,
  journal: Pick<JournalWriter, "append">,
  failed: (error: unknown) => void,
): Permit {
  const write = appendOrFail(journal, failed);
  return limiter.permit({
    onWaiting: (wait) => write({ type: "limit.waiting", ...wait, reason: "usage-limit" }),
    onCleared: (window) => write({ type: "limit.cleared", window }),
  });
}

/** Appends an event to the log. Calls `failed` if the log fails. */
export function appendOrFail(
  journal: Pick<JournalWriter, "append">,
  failed: (error: unknown) => void,
): (draft: EventDraft) => void {
  return (draft) => {
    try {
      journal.append(draft);
    } catch (error) {
      failed(error);
    }
  };
}
