import type { EventOf, RunEvent } from "@bridle/protocol";

export type Asked = EventOf<"approval.requested">;

/**
 * Finds where a run waits for people. Protocols end their response there, and the answers come with the next request.
 *
 * A run pauses after an event if a question is open that was not shown yet, and no call is being executed: then all that
 * happens until somebody answers has happened. It follows from the log alone, so every reader finds the same places.
 */
export class Pauses {
  readonly #open = new Map<string, Asked>();
  readonly #running = new Set<string>();
  readonly #shown = new Set<string>();

  /** The open questions if the run pauses after this event. */
  next(event: RunEvent): readonly Asked[] | undefined {
    this.#update(event);
    if (this.#running.size > 0) return undefined;
    const open = [...this.#open.values()];
    if (open.every(({ approvalId }) => this.#shown.has(approvalId))) return undefined;
    for (const { approvalId } of open) this.#shown.add(approvalId);
    return open;
  }

  #update(event: RunEvent): void {
    switch (event.type) {
      case "approval.requested":
        this.#open.set(event.approvalId, event);
        break;
      case "approval.decided":
        this.#open.delete(event.approvalId);
        break;
      case "tool.started":
        this.#running.add(event.callId);
        break;
      case "tool.finished":
        this.#running.delete(event.callId);
        break;
      case "run.finished":
        this.#open.clear();
        break;
      default:
    }
  }
}

/** The last pause of a run that showed one of these questions: where it was, and all that it showed. */
export function findPause(
  events: Iterable<RunEvent>,
  approvalIds: ReadonlySet<string>,
): { readonly seq: number; readonly shown: readonly Asked[] } | undefined {
  const pauses = new Pauses();
  let found: { seq: number; shown: readonly Asked[] } | undefined;
  for (const event of events) {
    const shown = pauses.next(event);
    if (shown?.some(({ approvalId }) => approvalIds.has(approvalId))) found = { seq: event.seq, shown };
  }
  return found;
}
