import type { EventOf, RunEvent } from "@bridle/protocol";

export type Asked = EventOf<"approval.requested">;

/**
 * Finds where a run waits for people. Protocols end their response there, and the answers come with the next request.
 *
 * A run pauses after an event if a question is open that no earlier pause has shown, and no call is being executed. It follows
 * from the log alone, so every reader finds the same places. A question that comes while another one waits is a pause of its own.
 */
export class RunPauses {
  readonly #unshown = new Map<string, Asked>();
  readonly #running = new Set<string>();

  /** The new questions if the run pauses after this event. */
  next(event: RunEvent): readonly Asked[] | undefined {
    this.#update(event);
    if (this.#running.size > 0 || this.#unshown.size === 0) return undefined;
    const shown = [...this.#unshown.values()];
    this.#unshown.clear();
    return shown;
  }

  #update(event: RunEvent): void {
    switch (event.type) {
      case "approval.requested":
        this.#unshown.set(event.approvalId, event);
        if (event.nested) this.#running.delete(event.callId); // the call waits for the run that it started
        break;
      case "approval.decided":
        this.#unshown.delete(event.approvalId);
        if (event.nested) this.#running.add(event.callId);
        break;
      case "tool.started":
        this.#running.add(event.callId);
        break;
      case "tool.finished":
        this.#running.delete(event.callId);
        break;
      case "run.finished":
        this.#unshown.clear();
        break;
      default:
    }
  }
}

/** Finds the last pause of a run that showed one of some questions: where it was, and all that it showed. */
export class PauseSearch {
  readonly #approvalIds: ReadonlySet<string>;
  readonly #pauses = new RunPauses();
  found: { readonly seq: number; readonly shown: readonly Asked[] } | undefined;

  constructor(approvalIds: ReadonlySet<string>) {
    this.#approvalIds = approvalIds;
  }

  next(event: RunEvent): void {
    const shown = this.#pauses.next(event);
    const isWanted = shown?.some(({ approvalId }) => this.#approvalIds.has(approvalId));
    if (shown && isWanted) this.found = { seq: event.seq, shown };
  }
}
