/** Converts the events of a session to updates for an editor. Pure state: no clock and no connection. */
import type { SessionUpdate } from "@agentclientprotocol/sdk";
import { addCost, type Cost, noCost, type RunEvent, totalTokens } from "@bridle/protocol";
import { MessageUpdates, textChunk } from "./message-updates.ts";
import { ToolUpdates } from "./tool-updates.ts";

export interface SessionUpdateOptions {
  /** Whether the client shows notices. Default: false. */
  readonly notices?: boolean | undefined;
}

/** Converts the events of a session to updates for the client. Add the events in order. */
export class SessionUpdates {
  readonly calls = new ToolUpdates();
  readonly #messages = new MessageUpdates();
  readonly #notices: boolean;
  readonly #waited = new Set<string>();
  #window: number | undefined;
  #cost: Cost | undefined = noCost;

  constructor({ notices = false }: SessionUpdateOptions = {}) {
    this.#notices = notices;
  }

  add(event: RunEvent): readonly SessionUpdate[] {
    return [...this.#messages.add(event), ...this.calls.add(event), ...this.#addState(event)];
  }

  #addState(event: RunEvent): readonly SessionUpdate[] {
    switch (event.type) {
      case "step.finished":
        return this.#measure(event.usage, event.cost);
      case "usage.reported":
        this.#window = event.contextWindow ?? this.#window;
        return [];
      case "limit.waiting":
        return this.#wait(event);
      case "limit.cleared":
        this.#waited.delete(event.window);
        return [];
      case "notice":
        return this.#notices ? [{ sessionUpdate: "notice", severity: event.level, title: event.message }] : [];
      default:
        return [];
    }
  }

  /** Reports the context's size: the tokens of the newest response. Sends nothing if the size of the window is unknown. */
  #measure(usage: Parameters<typeof totalTokens>[0], cost: Cost | undefined): readonly SessionUpdate[] {
    this.#cost = addCost(this.#cost, cost);
    if (this.#window === undefined) return [];
    const shown = this.#cost === undefined ? {} : { cost: { amount: this.#cost.usd, currency: "USD" } };
    return [{ sessionUpdate: "usage_update", used: totalTokens(usage), size: this.#window, ...shown }];
  }

  /** Reports each wait once, because the event repeats. */
  #wait({ runId, window, resetsAt, remainingMs, time }: WaitingEvent): readonly SessionUpdate[] {
    if (this.#waited.has(window)) return [];
    this.#waited.add(window);
    const until = new Date(resetsAt ?? time + remainingMs).toISOString();
    const text = `The usage window ${window} is used up. The run continues at ${until}.`;
    if (this.#notices) return [{ sessionUpdate: "notice", severity: "warning", title: text }];
    return [textChunk("agent_thought_chunk", text, `${runId}-${window}`)];
  }
}

type WaitingEvent = Extract<RunEvent, { type: "limit.waiting" }>;
