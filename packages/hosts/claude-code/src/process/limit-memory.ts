import type { HostMessage } from "../turn/messages.ts";

type LimitMessage = Extract<HostMessage, { type: "rate_limit_event" }>;

/** What the host last said of the account's limits. */
export interface LimitMemory {
  /** What to hear in place of a message: what the host left unsaid in this conversation comes before a result. */
  complete(message: HostMessage): HostMessage[];
  /** Another conversation begins, in which nothing was said yet. */
  startAgain(): void;
}

/**
 * A process tells of the limits with its first response, and then only when they change (observed on 2.1.330). What
 * stands is told in each conversation, so that none depends on what another was told.
 */
export function createLimitMemory(now = Date.now): LimitMemory {
  let newest: LimitMessage | undefined;
  let told = false;

  function standing(): LimitMessage[] {
    const resetsAt = newest?.rate_limit_info.resetsAt ?? Number.POSITIVE_INFINITY; // in seconds
    return newest && resetsAt * 1000 > now() ? [newest] : [];
  }

  return {
    complete(message) {
      if (message.type === "rate_limit_event") newest = message;
      else if (message.type !== "result" || told) return [message];
      told = true;
      return message.type === "result" ? [...standing(), message] : [message];
    },
    startAgain() {
      told = false;
    },
  };
}
