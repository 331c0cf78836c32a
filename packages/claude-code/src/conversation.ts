import {
  type Conversation,
  createUsageMeter,
  type InputSurroundings,
  type Message,
  type TurnEnd,
  type TurnHost,
} from "@bridle/core";
import { type HostSession, type HostSessionOptions, openHostSession } from "./host-session.ts";
import { toHostMessage } from "./prompt.ts";
import { createTurn } from "./turn.ts";

/** How often a process that died before it said anything is started again. */
const maxRestarts = 3;

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
  let closed = false;

  async function attempt(input: Message, host: TurnHost, restarts = 0): Promise<TurnEnd> {
    const turn = createTurn({ host, spec, auth, meter });
    session.begin(toHostMessage(input), turn);
    try {
      return await turn.end;
    } catch (error) {
      if (session.heard || closed || host.signal.aborted || restarts === maxRestarts) throw error;
      announceRestart(host, restarts + 1, error);
      session = openSession(options);
      return attempt(input, host, restarts + 1);
    }
  }

  return {
    surroundings,
    async turn(input, host) {
      busy = true;
      const end = await attempt(input, host);
      busy = false; // after an error the host may go on by itself
      return end;
    },
    close() {
      closed = true;
      return session.close(busy ? 0 : idleGraceMs);
    },
  };
}

function announceRestart(host: TurnHost, attempt: number, error: unknown): void {
  const reason = error instanceof Error ? error.message : String(error);
  host.emit({ type: "retry.scheduled", attempt, maxAttempts: maxRestarts, delayMs: 0, reason });
}
