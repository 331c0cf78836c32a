/** Collects the facts about a tool call from its events. */
import type { EventOf, RunEvent } from "@bridle/protocol";

type Requested = EventOf<"tool.requested">;

export interface CallFacts extends Pick<Requested, "callId" | "tool" | "input"> {
  /** Milliseconds after the run's first event. */
  readonly atMs: number;
  readonly decisions: readonly EventOf<"tool.evaluated">[];
  readonly approvals: readonly EventOf<"approval.decided">[];
  /** The first progress messages. */
  readonly progress: readonly string[];
  readonly finished: EventOf<"tool.finished"> | undefined;
  readonly denied: string | undefined;
  readonly outcome: "succeeded" | "failed" | "denied" | "not executed" | "unknown";
}

/** The maximum number of progress messages to keep. A call can report any number. */
const maxProgress = 100;

/** Collects the facts about one call, event by event. */
export class CallFactsBuilder {
  readonly #requested: Requested;
  readonly #atMs: number;
  readonly #decisions: EventOf<"tool.evaluated">[] = [];
  readonly #approvals: EventOf<"approval.decided">[] = [];
  readonly #progress: string[] = [];
  #progressed = 0;
  #isStarted = false;
  #finished: EventOf<"tool.finished"> | undefined;
  #denied: string | undefined;

  constructor(requested: Requested, runStartedAt: number) {
    this.#requested = requested;
    this.#atMs = requested.time - runStartedAt;
  }

  /** Whether the call's end is not known yet. */
  get isOpen(): boolean {
    return this.#finished === undefined && this.#denied === undefined;
  }

  add(event: RunEvent): void {
    switch (event.type) {
      case "tool.evaluated":
        this.#decisions.push(event);
        break;
      case "approval.decided":
        if (!event.nested) this.#approvals.push(event); // an answer about a call in a nested run
        break;
      case "tool.progress":
        this.#progressed += 1;
        if (this.#progressed <= maxProgress) this.#progress.push(event.message);
        break;
      case "tool.started":
        this.#isStarted = true;
        break;
      case "tool.finished":
        this.#finished ??= event;
        break;
      case "tool.denied":
        this.#denied ??= event.output;
        break;
    }
  }

  facts(): CallFacts {
    const { callId, tool, input } = this.#requested;
    const more = this.#progressed - this.#progress.length;
    return {
      callId,
      tool,
      input,
      atMs: this.#atMs,
      decisions: this.#decisions,
      approvals: this.#approvals,
      progress: more > 0 ? [...this.#progress, `… and ${more} more messages`] : this.#progress,
      finished: this.#finished,
      denied: this.#denied,
      outcome: this.#classifyOutcome(),
    };
  }

  #classifyOutcome(): CallFacts["outcome"] {
    if (this.#finished) return this.#finished.ok ? "succeeded" : "failed";
    if (this.#denied !== undefined) return "denied";
    return this.#isStarted ? "unknown" : "not executed";
  }
}
