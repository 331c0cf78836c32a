import { type Conversation, createUsageMeter, type InputSurroundings, type Message, type TurnHost } from "@bridle/core";
import { type HostSession, type HostSessionOptions, openHostSession } from "./host-session.ts";
import { toHostMessage } from "./prompt.ts";
import { createTurn } from "./turn.ts";

/** Starts of a process that are tried; only one that said nothing at all is tried again. */
const startAttempts = 3;

/** How long an idle process may take to go by itself when its input is closed. */
const idleGraceMs = 400;

/** A conversation in one process of the host, which is started at once and waits for the first turn. */
export function createConversation(
  options: HostSessionOptions & { surroundings: InputSurroundings },
  openSession: (options: HostSessionOptions) => HostSession = openHostSession,
): Conversation {
  const { spec, auth, surroundings } = options;
  const meter = createUsageMeter();
  let session = openSession(options);
  let busy = false;

  async function attempt(input: Message, host: TurnHost, attemptsLeft: number) {
    const turn = createTurn({ host, spec, auth, meter });
    session.begin(toHostMessage(input), turn);
    try {
      return await turn.end;
    } catch (error) {
      if (turn.heard || host.signal.aborted || attemptsLeft <= 1) throw error;
      announceRetry(host, startAttempts - attemptsLeft + 1, error);
      session = openSession(options);
      return attempt(input, host, attemptsLeft - 1);
    }
  }

  return {
    surroundings,
    async turn(input, host) {
      busy = true;
      try {
        return await attempt(input, host, startAttempts);
      } finally {
        busy = host.signal.aborted;
      }
    },
    close: () => session.close(busy ? 0 : idleGraceMs),
  };
}

function announceRetry(host: TurnHost, attempt: number, error: unknown): void {
  const reason = error instanceof Error ? error.message : String(error);
  host.emit({ type: "retry.scheduled", attempt, maxAttempts: startAttempts - 1, delayMs: 0, reason });
}
