import {
  type Conversation,
  createUsageMeter,
  type InputSurroundings,
  type Message,
  type TurnEnd,
  type TurnHost,
  UsageLimitError,
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
  let meter = createUsageMeter();
  let session = openSession(options);
  let busy = false;
  let closed = false;
  let turns = 0;

  function startAgain(): void {
    meter = createUsageMeter();
    session = openSession(options);
  }

  async function attempt(input: Message, host: TurnHost, restarts = 0): Promise<TurnEnd> {
    const turn = createTurn({ host, spec, auth, meter });
    session.begin(toHostMessage(input), turn);
    try {
      return await turn.end;
    } catch (error) {
      if (error instanceof UsageLimitError) {
        await untilReset(error, turn.hasBegun || turns > 0, host);
        startAgain();
        return attempt(input, host);
      }
      if (session.heard || closed || host.signal.aborted || restarts === maxRestarts) throw error;
      announceRestart(host, restarts + 1, error);
      startAgain();
      return attempt(input, host, restarts + 1);
    }
  }

  /** A process that was refused takes no other turn, and none is held while waiting for hours. */
  async function untilReset(error: UsageLimitError, hasBegun: boolean, host: TurnHost): Promise<void> {
    if (hasBegun) throw notRepeated(error);
    await session.close(0);
    await host.awaitLimit(error);
    if (closed) throw error;
  }

  return {
    surroundings,
    async turn(input, host) {
      busy = true;
      const end = await attempt(input, host);
      turns += 1;
      busy = false; // after an error the host may go on by itself
      return end;
    },
    close() {
      closed = true;
      return session.close(busy ? 0 : idleGraceMs);
    },
  };
}

/** A new process would know nothing of what this one had said and done, and would do it again. */
function notRepeated(error: UsageLimitError): UsageLimitError {
  const { message, resetsAt, window } = error;
  return new UsageLimitError(`${message} The work had begun, and is not repeated by itself: it would be done twice.`, {
    cause: error,
    ...(resetsAt && { resetsAt }),
    ...(window !== undefined && { window }),
  });
}

function announceRestart(host: TurnHost, attempt: number, error: unknown): void {
  const reason = error instanceof Error ? error.message : String(error);
  host.emit({ type: "retry.scheduled", attempt, maxAttempts: maxRestarts, delayMs: 0, reason });
}
