import { type ConversationSpec, type Message, StoppedError, type TurnContext } from "@bridle/protocol";
import { z } from "zod";
import { baseInstructions, objectRequest } from "../boundary/thread-options.ts";
import { ObservedItems } from "../history/observed-items.ts";
import { type SentMessage, toResponseItems, toSentMessage } from "../history/response-items.ts";
import { InputCheck } from "../messages/input-check.ts";
import { turnAnswer } from "../messages/messages.ts";
import type { AppServer } from "../process/app-server.ts";
import { applyPatchOutside } from "../process/apply-patch.ts";
import { parseCodexSettings } from "../settings/host-settings.ts";
import type { CodexConversationOptions } from "./conversation-options.ts";
import { Patches } from "./patches.ts";
import { dropThread, type HostThread, startCodexThread, type ThreadSlot } from "./thread.ts";
import { CodexTurn } from "./turn.ts";

const anything = z.unknown();

export interface HostedTurnOptions {
  readonly conversation: CodexConversationOptions;
  readonly context: TurnContext;
  readonly input: Message;
  /** The messages before this turn's message. */
  readonly held: ConversationSpec["history"];
  /** The conversation's thread, which changes if the turn has to continue in another one. */
  readonly slot: ThreadSlot;
}

/** One turn of a conversation, which may continue in several of the host's threads. */
export class HostedTurn {
  readonly turn: CodexTurn;
  readonly observed = new ObservedItems();
  readonly #options: HostedTurnOptions;
  #started = Promise.withResolvers<string>();

  constructor(options: HostedTurnOptions, thread: HostThread) {
    this.#options = options;
    const { conversation, context, slot } = options;
    const { spec, prices, idleTimeoutMs, maxRetries, facts } = conversation;
    this.turn = new CodexTurn({
      context,
      spec,
      prices,
      idleTimeoutMs,
      maxRetries,
      check: this.#check(options.held, options.input),
      patches: this.#patches(),
      facts: () => facts(slot.thread?.acquired ?? thread.acquired),
      interrupt: () => void this.#interrupt(slot.thread),
      observe: (item, isError) => this.observed.observe(item, isError),
      leaveThread: () => this.#leaveThread(),
      changeThread: () => this.#changeThread(),
    });
  }

  /** Sends the message. */
  start(thread: HostThread): void {
    const { input, conversation } = this.#options;
    this.#startIn(thread, toSentMessage(input, conversation.spec.builtins));
  }

  #startIn({ acquired: { server }, id: threadId }: HostThread, { items, input }: SentMessage): void {
    const { spec } = this.#options.conversation;
    const started = Promise.withResolvers<string>();
    started.promise.catch(() => {});
    this.#started = started;
    server.attach(threadId, this.turn);
    const { schema: outputSchema } = objectRequest(spec.outputSchema);
    const parameters = { threadId, input, outputSchema, ...parseCodexSettings(spec) };
    const begun =
      items.length === 0
        ? server.request("turn/start", parameters, turnAnswer)
        : this.#inject(server, threadId, items).then(() => server.request("turn/start", parameters, turnAnswer));
    begun.then(
      ({ turn: { id } }) => started.resolve(id),
      (error: unknown) => {
        started.reject(error);
        this.turn.fail(error);
      },
    );
  }

  async #inject(server: AppServer, threadId: string, items: readonly object[]): Promise<void> {
    const { slot, context } = this.#options;
    await server.request("thread/inject_items", { threadId, items }, anything);
    if (slot.isClosed || context.signal.aborted) throw new StoppedError("The turn was stopped.");
  }

  async #interrupt(thread: HostThread | undefined): Promise<void> {
    try {
      const turnId = await this.#started.promise;
      await thread?.acquired.server.request("turn/interrupt", { threadId: thread.id, turnId }, anything);
    } catch {
      // the process or the turn has ended
    }
  }

  #leaveThread(): void {
    const { slot } = this.#options;
    const { thread } = slot;
    slot.thread = undefined;
    if (!thread) return;
    thread.acquired.server.detach(thread.id);
    void this.#interrupt(thread).finally(() => dropThread(thread));
  }

  /** Continues in a new thread, which gets everything so far and no other message. */
  async #changeThread(): Promise<InputCheck> {
    const { conversation, slot, held, input, context } = this.#options;
    const begun = [...toResponseItems([input], conversation.spec.builtins), ...this.observed.items];
    const thread = await startCodexThread(conversation, held, begun);
    if (slot.isClosed || context.signal.aborted) {
      dropThread(thread);
      throw new StoppedError("The turn was stopped.");
    }
    slot.thread = thread;
    this.#startIn(thread, { items: [], input: [] });
    return this.#check([...held, input, ...this.observed.messages], { role: "user", content: [] });
  }

  #check(history: ConversationSpec["history"], input: Message): InputCheck {
    const { spec } = this.#options.conversation;
    return new InputCheck({ spec, instructions: baseInstructions(spec), history, input });
  }

  #patches(): Patches | undefined {
    const { conversation, context, slot } = this.#options;
    const { patchFolder: folder } = conversation;
    if (folder === undefined) return undefined;
    return new Patches({
      folder,
      context,
      observeInput: (callId, input) => this.observed.observeInput(callId, input),
      apply: async (patch) => {
        if (!slot.thread) throw new StoppedError("The turn was stopped.");
        return applyPatchOutside(slot.thread.acquired.server, patch, folder);
      },
    });
  }
}
