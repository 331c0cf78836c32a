import type { HostMessage } from "../messages/messages.ts";

type LimitMessage = Extract<HostMessage, { type: "rate_limit_event" }>;

/**
 * Remembers the account limits that the host last reported. A process reports them with its first response, and later only when they change
 * (observed on 2.1.330). Each conversation gets the current limits, so that it does not depend on a report in an earlier conversation.
 */
export class LimitMemory {
  readonly #now: () => number;
  #newest: LimitMessage | undefined;
  #isReported = false;

  constructor(now = Date.now) {
    this.#now = now;
  }

  /**
   * Returns the messages to process instead of `message`. If this conversation has not received the limits yet, inserts them before a
   * result.
   */
  complete(message: HostMessage): HostMessage[] {
    if (message.type === "rate_limit_event") this.#newest = message;
    else if (message.type !== "result" || this.#isReported) return [message];
    this.#isReported = true;
    return message.type === "result" ? [...this.#current(), message] : [message];
  }

  startConversation(): void {
    this.#isReported = false;
  }

  #current(): LimitMessage[] {
    const resetsAt = this.#newest?.rate_limit_info.resetsAt ?? Number.POSITIVE_INFINITY; // in seconds
    return this.#newest && resetsAt * 1000 > this.#now() ? [this.#newest] : [];
  }
}
