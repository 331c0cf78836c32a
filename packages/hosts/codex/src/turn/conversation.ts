import {
  type Conversation,
  type HistoryMessage,
  isBridleError,
  type Message,
  StoppedError,
  type TurnContext,
  type TurnEnd,
  UsageLimitError,
} from "@bridle/protocol";
import type { CodexConversationOptions } from "./conversation-options.ts";
import { HostedTurn } from "./hosted-turn.ts";
import { dropThread, type HostThread, startCodexThread, type ThreadSlot } from "./thread.ts";
import type { CodexTurn } from "./turn.ts";

/** How many times a process that dies before the model has sent anything is replaced. */
const maxRestarts = 3;

/** One conversation with a model. It uses one thread of a process at a time. */
export class CodexConversation {
  readonly #options: CodexConversationOptions;
  readonly #slot: ThreadSlot;
  #held: readonly HistoryMessage[];
  /** Whether the thread contains exactly the conversation's messages. */
  #isSettled = false;

  /** @param thread A thread that contains the conversation's history. */
  constructor(options: CodexConversationOptions, thread: HostThread) {
    this.#options = options;
    this.#slot = { thread, isClosed: false };
    this.#held = options.spec.history;
  }

  get port(): Conversation {
    return {
      promptContext: this.#options.promptContext,
      turn: (input, context) => this.turn(input, context),
      close: async () => void this.close(),
    };
  }

  async turn(input: Message, context: TurnContext): Promise<TurnEnd> {
    for (let restarts = 0; ; restarts++) {
      const { turn, observed } = await this.#begin(input, context);
      try {
        const end = await turn.end;
        this.#isSettled = end.reason === "natural";
        if (this.#isSettled) this.#held = [...this.#held, input, ...observed.messages];
        else this.#forget();
        return end;
      } catch (error) {
        this.#forget();
        if (error instanceof UsageLimitError && !turn.hasBegun) await context.awaitLimit(error);
        else if (!this.#canRestart(error, turn, context, restarts)) throw error;
        else announceRestart(context, restarts + 1, error);
        if (this.#slot.isClosed) throw error;
      }
    }
  }

  close(): void {
    const { thread } = this.#slot;
    this.#slot.isClosed = true;
    this.#slot.thread = undefined;
    if (!thread) return;
    if (this.#isSettled) this.#options.leave(thread, this.#held);
    else dropThread(thread);
  }

  async #begin(input: Message, context: TurnContext): Promise<HostedTurn> {
    this.#isSettled = false;
    const conversation = this.#options;
    const slot = this.#slot;
    slot.thread ??= await startCodexThread(conversation, this.#held);
    const { thread } = slot;
    const hosted = new HostedTurn({ conversation, context, input, held: this.#held, slot }, thread);
    if (!context.signal.aborted) hosted.start(thread);
    return hosted;
  }

  #canRestart(error: unknown, turn: CodexTurn, { signal }: TurnContext, restarts: number): boolean {
    const isCrash = isBridleError(error) && error.code === "backend_crash";
    return isCrash && !turn.hasBegun && !this.#slot.isClosed && !signal.aborted && restarts < maxRestarts;
  }

  #forget(): void {
    if (this.#slot.thread) dropThread(this.#slot.thread);
    this.#slot.thread = undefined;
  }
}

function announceRestart(context: TurnContext, attempt: number, error: unknown): void {
  const reason = error instanceof Error ? error.message : String(error);
  context.emit({ type: "retry.scheduled", attempt, maxAttempts: maxRestarts, delayMs: 0, reason });
}

export function closedError(): StoppedError {
  return new StoppedError("The backend was closed.");
}
