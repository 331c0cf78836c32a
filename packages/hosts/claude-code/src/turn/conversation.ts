import {
  type Conversation,
  type HistoryMessage,
  type Message,
  type PromptContext,
  TimeoutError,
  type TurnContext,
  type TurnEnd,
  UsageLimitError,
} from "@bridle/protocol";
import { splitUnanswered } from "../history/history-file.ts";
import { createHeardHistory, type HeardHistory } from "../history/observed-transcript.ts";
import type { Sessions } from "../pool/sessions.ts";
import type { HostSessionOptions, HostTurn } from "../process/host-session.ts";
import { toHostMessage } from "./prompt.ts";
import { createTurn, type Turn, type TurnOptions } from "./turn.ts";

/** How often a process that died before it said anything is started again. */
const maxRestarts = 3;

/** A conversation in one process of the host, which is taken at once and waits for the first turn. */
export async function openConversation(
  options: HostSessionOptions & Pick<TurnOptions, "hasBaseUrl" | "idleTimeoutMs"> & { surroundings: PromptContext },
  sessions: Sessions,
): Promise<Conversation> {
  const { auth, hasBaseUrl, idleTimeoutMs, surroundings } = options;
  const { history, unanswered } = splitUnanswered(options.spec.history);
  const spec = { ...options.spec, history };
  const request = { spec, auth, environment: options.environment, implicitSources: surroundings.implicitSources };
  const taken = await sessions.take(request);
  let { session } = taken;
  /** Whether the host has nothing left to do. */
  let isSettled = true;
  let closed = false;
  let turns = 0;
  let heard = createHeardHistory();
  /** What was said before the newest turn was answered, where it is known that the host holds this and no more. */
  let said: readonly HistoryMessage[] | undefined = options.spec.history;

  /** Once closed, nobody would end a process that comes now. */
  async function startAgain(error: unknown): Promise<void> {
    if (closed) throw error;
    const next = await sessions.take(request);
    session = next.session;
    if (!closed) return;
    await sessions.end(session, "none");
    throw error;
  }

  async function attempt(input: Message, host: TurnContext, restarts = 0): Promise<TurnEnd> {
    const turn = createTurn({ host, spec, auth, hasBaseUrl, idleTimeoutMs, meter: session.meter });
    heard = createHeardHistory();
    session.begin(toHostMessage(input), overheard(turn, heard));
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
      announceRestart(host, restarts + 1, error, turns === 0 && taken.resumption?.resumed === "native");
      await sessions.end(session, "none");
      await startAgain(error);
      return attempt(input, host, restarts + 1);
    }
  }

  /** A process that was refused takes no other turn, and none is held while waiting for hours. */
  async function untilReset(error: UsageLimitError, hasBegun: boolean, host: TurnContext): Promise<void> {
    if (hasBegun) throw notRepeated(error);
    await sessions.end(session, "none");
    await host.awaitLimit(error);
    if (closed) throw error;
  }

  /** What the host holds: it was told the one part, and has told the other. */
  function held(): readonly HistoryMessage[] | undefined {
    return said && heard.messages && [...said, ...heard.messages];
  }

  function giveBack(): Promise<void> {
    return sessions.giveBack(session, spec.session === undefined ? undefined : held());
  }

  return {
    surroundings: { ...surroundings, resumption: taken.resumption },
    async turn(input, host) {
      isSettled = false;
      const content = turns === 0 ? [...unanswered, ...input.content] : input.content;
      if (turns > 0) said = held();
      said &&= [...said, { role: input.role, content: input.content }];
      const end = await attempt({ ...input, content }, host);
      turns += 1;
      isSettled = end.reason === "natural"; // else the host may go on by itself
      return end;
    },
    close() {
      closed = true;
      return isSettled ? giveBack() : sessions.end(session);
    },
  };
}

/** A turn whose host is also heard when the turn is over. */
function overheard(turn: Turn, heard: HeardHistory): HostTurn {
  const { callTool, authorizeHostTool, fail } = turn;
  return {
    ...{ callTool, authorizeHostTool, fail },
    take(message) {
      heard.take(message);
      turn.take(message);
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

function announceRestart(host: TurnContext, attempt: number, error: unknown, wasNative: boolean): void {
  const cause = error instanceof Error ? error.message : String(error);
  const reason = wasNative ? `${cause} The history is rebuilt.` : cause;
  host.emit({ type: "retry.scheduled", attempt, maxAttempts: maxRestarts, delayMs: 0, reason });
}
