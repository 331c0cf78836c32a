import {
  type Conversation,
  type InputSurroundings,
  type Message,
  TimeoutError,
  type TurnEnd,
  type TurnHost,
  UsageLimitError,
} from "@bridle/core";
import { splitUnanswered } from "./host-history.ts";
import type { HostSessionOptions } from "./host-session.ts";
import type { Sessions } from "./pool/sessions.ts";
import { toHostMessage } from "./prompt.ts";
import { createTurn, type TurnOptions } from "./turn.ts";

/** How often a process that died before it said anything is started again. */
const maxRestarts = 3;

/** A conversation in one process of the host, which is taken at once and waits for the first turn. */
export async function openConversation(
  options: HostSessionOptions & Pick<TurnOptions, "hasBaseUrl" | "idleTimeoutMs"> & { surroundings: InputSurroundings },
  sessions: Sessions,
): Promise<Conversation> {
  const { auth, hasBaseUrl, idleTimeoutMs, surroundings } = options;
  const { history, unanswered } = splitUnanswered(options.spec.history);
  const spec = { ...options.spec, history };
  const request = { spec, auth, environment: options.environment, implicitSources: surroundings.implicitSources };
  let session = await sessions.take(request);
  /** Whether the host has nothing left to do. */
  let isSettled = true;
  let closed = false;
  let turns = 0;

  /** Once closed, nobody would end a process that comes now. */
  async function startAgain(error: unknown): Promise<void> {
    if (closed) throw error;
    const next = await sessions.take(request);
    session = next;
    if (!closed) return;
    await sessions.end(next, "none");
    throw error;
  }

  async function attempt(input: Message, host: TurnHost, restarts = 0): Promise<TurnEnd> {
    const turn = createTurn({ host, spec, auth, hasBaseUrl, idleTimeoutMs, meter: session.meter });
    session.begin(toHostMessage(input), turn);
    try {
      return await turn.end;
    } catch (error) {
      if (error instanceof UsageLimitError) {
        await untilReset(error, turn.hasBegun || turns > 0, host);
        await startAgain(error);
        return attempt(input, host);
      }
      if (error instanceof TimeoutError) throw error; // waiting as long again is not for a caller to find out
      if (session.heard || closed || host.signal.aborted || restarts === maxRestarts) throw error;
      announceRestart(host, restarts + 1, error);
      await sessions.end(session, "none");
      await startAgain(error);
      return attempt(input, host, restarts + 1);
    }
  }

  /** A process that was refused takes no other turn, and none is held while waiting for hours. */
  async function untilReset(error: UsageLimitError, hasBegun: boolean, host: TurnHost): Promise<void> {
    if (hasBegun) throw notRepeated(error);
    await sessions.end(session, "none");
    await host.awaitLimit(error);
    if (closed) throw error;
  }

  return {
    surroundings,
    async turn(input, host) {
      isSettled = false;
      const content = turns === 0 ? [...unanswered, ...input.content] : input.content;
      const end = await attempt({ ...input, content }, host);
      turns += 1;
      isSettled = end.reason === "natural"; // else the host may go on by itself
      return end;
    },
    close() {
      closed = true;
      return isSettled ? sessions.giveBack(session) : sessions.end(session);
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
