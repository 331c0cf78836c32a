import type { EventOf, RunEvent } from "@bridle/protocol";

export type Asked = EventOf<"approval.requested">;

/**
 * Finds the positions where a run waits for users. Protocols end their response there, and the answers come with the next
 * request.
 *
 * A run pauses after an event if a question is open that no earlier pause has shown, and no call is being executed. The positions
 * depend only on the log, so they are the same for every reader. A question that is asked while another one is waiting is a
 * separate pause.
 */
export class RunPauses {
  readonly #unshown = new Map<string, Asked>();
  readonly #running = new Set<string>();
  /** The calls that wait, by question. A question is about the call itself, or comes from a run that the call started. */
  readonly #asking = new Map<string, string>();

  /** Returns the new questions if the run pauses after this event. */
  next(event: RunEvent): readonly Asked[] | undefined {
    this.#update(event);
    if (this.#running.size > 0 || this.#unshown.size === 0) return undefined;
    const shown = [...this.#unshown.values()];
    this.#unshown.clear();
    return shown;
  }

  #ask(event: Asked): void {
    const { approvalId, callId } = event;
    this.#unshown.set(approvalId, event);
    if (this.#running.delete(callId) || this.#isAsking(callId)) this.#asking.set(approvalId, callId);
  }

  /** Removes an answered question. The call continues when all of its questions are answered, because the call can wait for any of them. */
  #resume(approvalId: string): void {
    const callId = this.#asking.get(approvalId);
    this.#asking.delete(approvalId);
    if (callId !== undefined && !this.#isAsking(callId)) this.#running.add(callId);
  }

  #isAsking(callId: string): boolean {
    return [...this.#asking.values()].includes(callId);
  }

  #finish(finished: string): void {
    this.#running.delete(finished);
    for (const [approvalId, callId] of this.#asking) if (callId === finished) this.#asking.delete(approvalId);
  }

  #update(event: RunEvent): void {
    switch (event.type) {
      case "approval.requested":
        this.#ask(event);
        break;
      case "approval.decided":
        this.#unshown.delete(event.approvalId);
        this.#resume(event.approvalId);
        break;
      case "tool.started":
        this.#running.add(event.callId);
        break;
      case "tool.finished":
        this.#finish(event.callId);
        break;
      case "run.finished":
        this.#unshown.clear();
        break;
      default:
    }
  }
}

/** Finds the last pause of a run that showed one of the given questions: its position, and all questions that it showed. */
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
