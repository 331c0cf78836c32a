import { type EventOf, preview, type RunEvent } from "@bridle/protocol";

/** Describes events of a nested run, for the progress of the call that started it. */
export class NestedProgress {
  readonly #calls = new Map<string, EventOf<"tool.requested">>();

  /** Returns undefined if the event needs no line. */
  next(event: RunEvent): string | undefined {
    switch (event.type) {
      case "tool.requested":
        this.#calls.set(event.callId, event);
        return undefined;
      case "tool.started":
        return `→ ${this.#nameOf(event.callId)} ${preview(this.#calls.get(event.callId)?.input)}`;
      case "tool.progress":
        return `${this.#nameOf(event.callId)}: ${event.message}`;
      case "tool.denied":
        return `✗ ${this.#nameOf(event.callId)} denied`;
      case "tool.finished":
        return event.ok ? undefined : `✗ ${this.#nameOf(event.callId)} failed`;
      case "approval.requested":
        return event.nested ? undefined : `? ${event.tool} waits for an answer`;
      default:
        return undefined;
    }
  }

  #nameOf(callId: string): string {
    return this.#calls.get(callId)?.tool ?? "tool";
  }
}
