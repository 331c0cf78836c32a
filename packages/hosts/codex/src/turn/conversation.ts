import { type PriceTable, startBoundaryError } from "@bridle/host-shared";
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
import { baseInstructions, objectRequest, threadDifferences, threadOptions } from "../boundary/thread-options.ts";
import type { CodexFailureFacts } from "../errors/classify-turn.ts";
import { ObservedItems } from "../history/observed-items.ts";
import { toResponseItems, toTurnInput } from "../history/response-items.ts";
import { threadAnswer, turnAnswer } from "../messages/messages.ts";
import type { AcquiredServer } from "../process/servers.ts";
import { type CodexSettings, parseCodexSettings } from "../settings/host-settings.ts";
import { InputCheck } from "./input-check.ts";
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
}

/** A thread of a process. */
export interface HostThread {
  readonly acquired: AcquiredServer;
  readonly id: string;
}

/** A thread that can serve the session's next run, with the history that it holds. */
export interface HeldThread {
  readonly thread: HostThread;
  readonly history: readonly HistoryMessage[];
}

/** Starts a thread that holds the history. Throws BoundaryError if it did not come up as asked for. */
export async function startCodexThread(
  { spec, acquire, provider }: Pick<CodexConversationOptions, "spec" | "acquire" | "provider">,
  history: readonly HistoryMessage[],
): Promise<HostThread> {
  const items = toResponseItems(history);
  const acquired = await acquire();
  const { server } = acquired;
  try {
    const answer = await server.request("thread/start", threadOptions(spec, server.home.workingFolder), threadAnswer);
    const differences = threadDifferences(answer, spec, provider);
    if (differences.length > 0) throw startBoundaryError("Codex", differences);
    const { id } = answer.thread;
    if (items.length > 0) await server.request("thread/inject_items", { threadId: id, items }, anything);
    return { acquired, id };
  } catch (error) {
    acquired.release();
    throw error;
  }
}

/** Ends a thread, so that the process forgets it. */
function dropThread({ acquired, id }: HostThread): void {
  acquired.server.detach(id);
  void acquired.server.request("thread/unsubscribe", { threadId: id }, anything).catch(() => {});
  acquired.release();
}

/** One conversation with a model: one thread of a process at a time. */
export class CodexConversation {
  readonly #options: CodexConversationOptions;
  readonly #settings: CodexSettings;
  /** Undefined if the thread may hold more than the conversation, such as a note that a turn was aborted. */
  #thread: HostThread | undefined;
  #held: readonly HistoryMessage[];
  #isClosed = false;

  constructor(options: CodexConversationOptions, { thread, history }: HeldThread) {
    this.#options = options;
    this.#settings = parseCodexSettings(options.spec);
    this.#thread = thread;
    this.#held = history;
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
        if (end.reason === "natural") this.#held = [...this.#held, input, ...observed.messages];
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

  /** Ends the conversation. Returns its thread, if that holds exactly the messages of the conversation. */
  close(keep = false): HeldThread | undefined {
    this.#isClosed = true;
    const thread = this.#thread;
    this.#thread = undefined;
    if (!thread) return undefined;
    if (keep) return { thread, history: this.#held };
    dropThread(thread);
    return undefined;
  }

  async #begin(input: Message, context: TurnContext, observed: ObservedItems): Promise<CodexTurn> {
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
