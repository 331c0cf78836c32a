import type { PriceTable } from "@bridle/host-shared";
import {
  type Conversation,
  type ConversationSpec,
  type HistoryMessage,
  isBridleError,
  type Message,
  type PromptContext,
  StoppedError,
  type TurnContext,
  type TurnEnd,
  UsageLimitError,
} from "@bridle/protocol";
import { z } from "zod";
import { baseInstructions, objectRequest } from "../boundary/thread-options.ts";
import type { CodexFailureFacts } from "../errors/classify-turn.ts";
import { ObservedItems } from "../history/observed-items.ts";
import { toTurnInput } from "../history/response-items.ts";
import { turnAnswer } from "../messages/messages.ts";
import type { AcquiredServer } from "../process/servers.ts";
import { type CodexSettings, parseCodexSettings } from "../settings/host-settings.ts";
import { InputCheck } from "./input-check.ts";
import { dropThread, type HostThread, startCodexThread } from "./thread.ts";
import { CodexTurn } from "./turn.ts";

/** How often a process that dies before the model has sent anything is replaced. */
const maxRestarts = 3;

const anything = z.unknown();

export interface CodexConversationOptions {
  spec: ConversationSpec;
  promptContext: PromptContext;
  prices: PriceTable;
  idleTimeoutMs: number;
  maxRetries: number;
  provider: string;
  /** Gets a process; another one if the first has ended. */
  acquire(): Promise<AcquiredServer>;
  facts(acquired: AcquiredServer | undefined): CodexFailureFacts;
  /** Takes the thread of a conversation that has ended well, with the messages that it holds. */
  leave(thread: HostThread, held: readonly HistoryMessage[]): void;
}

/** One conversation with a model: one thread of a process at a time. */
export class CodexConversation {
  readonly #options: CodexConversationOptions;
  readonly #settings: CodexSettings;
  /** Undefined if the thread may hold more than the conversation, such as a note that a turn was aborted. */
  #thread: HostThread | undefined;
  #held: readonly HistoryMessage[];
  /** Whether the thread holds exactly the messages of the conversation. */
  #isSettled = false;
  #isClosed = false;

  /** @param thread Holds the history of the conversation. */
  constructor(options: CodexConversationOptions, thread: HostThread) {
    this.#options = options;
    this.#settings = parseCodexSettings(options.spec);
    this.#thread = thread;
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
      const observed = new ObservedItems();
      const turn = await this.#begin(input, context, observed);
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
        if (this.#isClosed) throw error;
      }
    }
  }

  close(): void {
    this.#isClosed = true;
    const thread = this.#thread;
    this.#thread = undefined;
    if (!thread) return;
    if (this.#isSettled) this.#options.leave(thread, this.#held);
    else dropThread(thread);
  }

  async #begin(input: Message, context: TurnContext, observed: ObservedItems): Promise<CodexTurn> {
    this.#isSettled = false;
    this.#thread ??= await startCodexThread(this.#options, this.#held);
    const { acquired, id: threadId } = this.#thread;
    const { spec, prices, idleTimeoutMs, maxRetries, facts } = this.#options;
    const { server } = acquired;
    const started = Promise.withResolvers<string>();
    started.promise.catch(() => {});
    const interrupt = () =>
      void started.promise
        .then((turnId) => server.request("turn/interrupt", { threadId, turnId }, anything))
        .catch(() => {});
    const turn = new CodexTurn({
      context,
      spec,
      prices,
      idleTimeoutMs,
      maxRetries,
      check: new InputCheck({ spec, instructions: baseInstructions(spec), history: this.#held, input }),
      facts: () => facts(acquired),
      interrupt,
      observe: (item, isError) => observed.observe(item, isError),
    });
    if (context.signal.aborted) return turn;
    server.attach(threadId, turn);
    const { schema: outputSchema } = objectRequest(spec.outputSchema);
    const parameters = { threadId, input: toTurnInput(input.content), outputSchema, ...this.#settings };
    server.request("turn/start", parameters, turnAnswer).then(
      ({ turn: { id } }) => started.resolve(id),
      (error: unknown) => {
        started.reject(error);
        turn.fail(error);
      },
    );
    return turn;
  }

  #canRestart(error: unknown, turn: CodexTurn, { signal }: TurnContext, restarts: number): boolean {
    const isCrash = isBridleError(error) && error.code === "backend_crash";
    return isCrash && !turn.hasBegun && !this.#isClosed && !signal.aborted && restarts < maxRestarts;
  }

  #forget(): void {
    if (this.#thread) dropThread(this.#thread);
    this.#thread = undefined;
  }
}

function announceRestart(context: TurnContext, attempt: number, error: unknown): void {
  const reason = error instanceof Error ? error.message : String(error);
  context.emit({ type: "retry.scheduled", attempt, maxAttempts: maxRestarts, delayMs: 0, reason });
}

export function closedError(): StoppedError {
  return new StoppedError("The backend was closed.");
}
