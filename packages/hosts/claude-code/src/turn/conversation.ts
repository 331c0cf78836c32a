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
import { ObservedTranscript } from "../history/observed-transcript.ts";
import { toHostMessage } from "../messages/prompt.ts";
import type { AcquiredProcess, ProcessRequest, ProcessSource } from "../pool/process-source.ts";
import type { HostProcess, HostProcessOptions, TurnReceiver } from "../process/host-process.ts";
import { Turn, type TurnOptions } from "./turn.ts";

/** How many times a process that dies before it has sent anything is replaced. */
const maxRestarts = 3;

export interface HostConversationOptions extends HostProcessOptions, Pick<TurnOptions, "hasBaseUrl" | "idleTimeoutMs"> {
  promptContext: PromptContext;
}

/** Opens a conversation in one host process. The process is acquired at once and waits for the first turn. */
export async function openHostConversation(
  options: HostConversationOptions,
  processes: ProcessSource,
): Promise<Conversation> {
  const { history, unanswered } = splitUnanswered(options.spec.history);
  const request: ProcessRequest = {
    spec: { ...options.spec, history },
    auth: options.auth,
    environment: options.environment,
    implicitSources: options.promptContext.implicitSources,
  };
  const acquired = await processes.acquire(request);
  const conversation = new HostConversation({ options, processes, request, acquired });
  return {
    promptContext: { ...options.promptContext, resumption: acquired.resumption },
    turn: (input, context) => conversation.turn(input, context, unanswered),
    close: () => conversation.close(),
  };
}

interface ConversationParts {
  options: HostConversationOptions;
  processes: ProcessSource;
  /** The request for a process. Its spec contains only the answered part of the history. */
  request: ProcessRequest;
  acquired: AcquiredProcess;
}

class HostConversation {
  readonly #options: HostConversationOptions;
  readonly #processes: ProcessSource;
  readonly #request: ProcessRequest;
  readonly #isNative: boolean;
  #process: HostProcess;
  /** Whether the host has nothing left to do. */
  #isSettled = true;
  #isClosed = false;
  #turns = 0;
  #observed = new ObservedTranscript();
  /** The messages up to the newest input. Undefined if the host may hold other messages. */
  #sent: readonly HistoryMessage[] | undefined;

  constructor({ options, processes, request, acquired }: ConversationParts) {
    this.#options = options;
    this.#processes = processes;
    this.#request = request;
    this.#isNative = acquired.resumption?.resumed === "native";
    this.#process = acquired.process;
    this.#sent = options.spec.history;
  }

  /** Runs a turn. `unanswered` are messages of the history that are sent with the first input. */
  async turn(input: Message, context: TurnContext, unanswered: Message["content"]): Promise<TurnEnd> {
    this.#isSettled = false;
    const content = this.#turns === 0 ? [...unanswered, ...input.content] : input.content;
    if (this.#turns > 0) this.#sent = this.#held();
    this.#sent &&= [...this.#sent, { role: input.role, content: input.content }];
    const end = await this.#attempt({ ...input, content }, context);
    this.#turns += 1;
    this.#isSettled = end.reason === "natural"; // with another reason, the host may continue
    return end;
  }

  close(): Promise<void> {
    this.#isClosed = true;
    if (!this.#isSettled) return this.#processes.end(this.#process);
    const isOfSession = this.#options.spec.session !== undefined;
    return this.#processes.release(this.#process, isOfSession ? this.#held() : undefined);
  }

  async #attempt(input: Message, context: TurnContext, restarts = 0): Promise<TurnEnd> {
    const { auth, hasBaseUrl, idleTimeoutMs } = this.#options;
    const { meter } = this.#process;
    const turn = new Turn({ context, spec: this.#request.spec, auth, hasBaseUrl, idleTimeoutMs, meter });
    this.#observed = new ObservedTranscript();
    this.#process.begin(toHostMessage(input), observedTurn(turn, this.#observed));
    try {
      return await turn.end;
    } catch (error) {
      if (error instanceof UsageLimitError) {
        await this.#waitForReset(error, turn.hasBegun, context);
        await this.#restart(error);
        return this.#attempt(input, context);
      }
      if (!this.#canRestart(error, context, restarts)) throw error;
      announceRestart(context, restarts + 1, error, this.#turns === 0 && this.#isNative);
      await this.#processes.end(this.#process, "none");
      await this.#restart(error);
      return this.#attempt(input, context, restarts + 1);
    }
  }

  #canRestart(error: unknown, { signal }: TurnContext, restarts: number): boolean {
    if (error instanceof TimeoutError) return false; // the caller has already waited long enough
    return !this.#process.hasResponded && !this.#isClosed && !signal.aborted && restarts < maxRestarts;
  }

  /**
   * Waits until the window opens. Ends the process first, because a refused process serves no other turn and must not be kept for hours.
   */
  async #waitForReset(error: UsageLimitError, hasBegun: boolean, context: TurnContext): Promise<void> {
    if (hasBegun || this.#turns > 0) throw notRepeatedError(error);
    await this.#processes.end(this.#process, "none");
    await context.awaitLimit(error);
    if (this.#isClosed) throw error;
  }

  /** Acquires another process. If the conversation was closed while it waited, ends that process, because nothing else would. */
  async #restart(error: unknown): Promise<void> {
    if (this.#isClosed) throw error;
    const { process } = await this.#processes.acquire(this.#request);
    this.#process = process;
    if (!this.#isClosed) return;
    await this.#processes.end(process, "none");
    throw error;
  }

  /** Returns the history that the host holds: the messages that it received and those that it sent. */
  #held(): readonly HistoryMessage[] | undefined {
    return this.#sent && this.#observed.messages && [...this.#sent, ...this.#observed.messages];
  }
}

/** Returns a receiver that also passes the turn's messages to `transcript`, even after the turn is over. */
function observedTurn(turn: Turn, transcript: ObservedTranscript): TurnReceiver {
  return {
    receive(message) {
      transcript.observe(message);
      turn.receive(message);
    },
    receiveRaw: (message) => turn.receiveRaw(message),
    callTool: (call) => turn.callTool(call),
    authorizeHostTool: (call) => turn.authorizeHostTool(call),
    fail: (error) => turn.fail(error),
  };
}

/** Returns the error for a turn that cannot be repeated: a new process would not know what this process has done, and would do it again. */
function notRepeatedError(error: UsageLimitError): UsageLimitError {
  const { message, resetsAt, window } = error;
  return new UsageLimitError(
    `${message} The turn had begun and is not repeated, because its work would be done twice.`,
    {
      cause: error,
      resetsAt,
      window,
    },
  );
}

function announceRestart(context: TurnContext, attempt: number, error: unknown, wasNative: boolean): void {
  const cause = error instanceof Error ? error.message : String(error);
  const reason = wasNative ? `${cause} The history is rebuilt.` : cause;
  context.emit({ type: "retry.scheduled", attempt, maxAttempts: maxRestarts, delayMs: 0, reason });
}
