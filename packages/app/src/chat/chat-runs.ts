import { type AgentRun, type AgentSession, isBridleError, type RunEvent, type RunResult } from "@bridle/protocol";
import { type AttachedPrompt, attachedMessage } from "../attachments/attachment.ts";
import { createEventDescriber } from "../events/describe-events.ts";
import type { FactCapture } from "../knowledge/memory/capture-facts.ts";
import type { AgentRunner } from "../runs/agent-runner.ts";
import { endReason } from "../runs/end-reason.ts";
import { sendWhenFree } from "../runs/send-when-free.ts";
import { addNote, type ChatView, type Tone } from "./chat-view.ts";
import { endRun, reduceChatView } from "./reduce-chat-view.ts";
import type { ChatStore } from "./store.ts";

export interface ChatRunsOptions {
  readonly runner: AgentRunner;
  readonly store: ChatStore<ChatView>;
  readonly session: AgentSession;
  /** Called with each prompt when the prompt is answered. */
  readonly capture: Pick<FactCapture, "add" | "close">;
  /** The current time, in milliseconds since the epoch. */
  readonly now: () => number;
  onResult(result: RunResult): void;
}

/** The runs of a chat: one at a time, each for a prompt of its session. */
export class ChatRuns {
  readonly #runner: AgentRunner;
  readonly #store: ChatStore<ChatView>;
  readonly #capture: ChatRunsOptions["capture"];
  readonly #now: () => number;
  readonly #onResult: (result: RunResult) => void;
  #session: AgentSession;
  #isAhead = false;
  #run: AgentRun | undefined;
  /** Stops waiting for a session that another process uses. */
  #waiting: AbortController | undefined;
  #working: Promise<void> | undefined;

  constructor({ runner, store, session, capture, now, onResult }: ChatRunsOptions) {
    this.#runner = runner;
    this.#store = store;
    this.#session = session;
    this.#capture = capture;
    this.#now = now;
    this.#onResult = onResult;
  }

  get session(): AgentSession {
    return this.#session;
  }

  /** Whether the history was edited since the last run. The event log does not contain the edit yet. */
  get isAhead(): boolean {
    return this.#isAhead;
  }

  markAhead(): void {
    this.#isAhead = true;
  }

  /** Sends a prompt now, or after the run in progress. */
  send(prompt: AttachedPrompt): void {
    if (this.#working) this.#store.update((view) => ({ ...view, queued: [...view.queued, prompt] }));
    else this.#working = this.#work(prompt);
  }

  /** Stops the run in progress, and returns the prompts that were waiting for it to end. */
  stop(reason: string): readonly string[] {
    const { queued } = this.#store.value;
    this.#store.update(markStopping);
    this.#run?.stop(reason);
    this.#waiting?.abort(reason);
    return queued.map(({ text }) => text);
  }

  /** Closes the session and continues in another one. */
  async enter(session: AgentSession): Promise<void> {
    await this.#session.close();
    this.#session = session;
    this.#isAhead = false;
  }

  async close(): Promise<void> {
    this.#store.update(markStopping);
    await this.#session.close();
    this.#waiting?.abort("the chat was closed");
    await this.#working;
    await this.#capture.close();
    await this.#runner.close();
  }

  async #work(prompt: AttachedPrompt): Promise<void> {
    for (let next: AttachedPrompt | undefined = prompt; next !== undefined; next = this.#takeQueued()) {
      await this.#perform(next);
    }
    this.#working = undefined;
  }

  #takeQueued(): AttachedPrompt | undefined {
    const [next, ...queued] = this.#store.value.queued;
    this.#store.update((view) => ({ ...view, queued }));
    return next;
  }

  async #perform(prompt: AttachedPrompt): Promise<void> {
    const describe = createEventDescriber();
    const run = { startedAt: this.#now(), isStopping: false };
    this.#store.update((view) => ({ ...view, sending: prompt, run }));
    const said = { text: prompt.text, before: this.#session.history(), session: this.#session.id };
    try {
      this.#run = await this.#start(prompt);
      this.#isAhead = false;
      for await (const event of this.#run) this.#show(event, describe);
      this.#onResult(await this.#run.result);
      this.#capture.add(said);
    } catch (error) {
      this.#store.update(keepPrompt);
      this.#noteError(error);
    } finally {
      this.#run = undefined;
      this.#store.update((view) => endRun({ ...view, sending: undefined }));
    }
  }

  #start(prompt: AttachedPrompt): Promise<AgentRun> {
    this.#waiting = new AbortController();
    const options = { ...this.#runner.limits, signal: this.#waiting.signal };
    const message = prompt.attachments.length === 0 ? prompt.text : [attachedMessage(prompt)];
    return sendWhenFree(this.#session, message, options, (holder) => {
      this.#note(`This session has a run in ${holder}. Waiting until it has ended.`, "warning");
      return undefined;
    });
  }

  #show(event: RunEvent, describe: ReturnType<typeof createEventDescriber>): void {
    this.#store.update((view) => reduceChatView(view, event));
    const described = /^(?:tool|nested)\./.test(event.type) ? undefined : describe(event);
    if (described) this.#note(described.text, "warning");
    if (event.type !== "run.finished") return;
    this.#store.update(keepPrompt);
    const reason = endReason(event.result);
    if (reason !== undefined) this.#note(reason, event.result.stopReason === "stopped" ? "dim" : "error");
  }

  #noteError(error: unknown): void {
    if (isBridleError(error)) this.#note(error.message, error.code === "stopped" ? "dim" : "error");
    else this.#note(`Bridle failed unexpectedly. Please report this:\n${stackOrText(error)}`, "error");
  }

  #note(text: string, tone: Tone): void {
    this.#store.update((view) => addNote(view, text, tone));
  }
}

/** Keeps a prompt visible that was not added to the event log. */
function keepPrompt(view: ChatView): ChatView {
  const { sending } = view;
  return sending === undefined ? view : addNote({ ...view, sending: undefined }, `> ${sending.text}`, "command");
}

function markStopping(view: ChatView): ChatView {
  return { ...view, queued: [], run: view.run && { ...view.run, isStopping: true } };
}

function stackOrText(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
