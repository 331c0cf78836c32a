import type { EventDraft } from "./events.ts";
import type { Governor } from "./governor/governor.ts";
import type { Seat } from "./governor/seat.ts";
import type { Journal } from "./journal.ts";

/** A run's place at its account, whose waits for used-up windows are on record. `failed` hears of a record that fails. */
export function takeSeat(governor: Governor, journal: Pick<Journal, "append">, failed: (error: unknown) => void): Seat {
  function write(draft: EventDraft): void {
    try {
      journal.append(draft);
    } catch (error) {
      failed(error);
    }
  }

  return governor.seat({
    onWaiting: (wait) => write({ type: "limit.waiting", ...wait, reason: "usage-limit" }),
    onCleared: (window) => write({ type: "limit.cleared", window }),
  });
}
