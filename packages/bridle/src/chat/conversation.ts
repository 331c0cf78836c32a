/** The runs of a chat: one at a time, each a prompt of its session. */
import {
  type AgentRun,
  type AgentSession,
  isBridleError,
  type RunEvent,
  type RunResult,
  StoreBusyError,
} from "@bridle/protocol";
import { createEventLines } from "../run/event-lines.ts";
import { reasonOf } from "../run/view.ts";
import type { ChatHost } from "./chat-host.ts";
import { reduceView, withoutRun } from "./reduce-view.ts";
import type { Store } from "./store.ts";
import { addNote, type ChatView, type Tone } from "./view.ts";

export interface Conversation {
  readonly session: AgentSession;
  /** Something that no run has told the record yet, and that a session opened anew would not know. */
  readonly isAhead: boolean;
  /** Sends a prompt, now or when the run in progress has ended. */
  say(prompt: string): void;
  /** Ends the run in progress, and gives back the prompts that waited for it. */
  stop(): readonly string[];
  /** Goes on in another session. The one before is let go of. */
  enter(session: AgentSession): Promise<void>;
  markAhead(): void;
  close(): Promise<void>;
}

interface Parts {
  readonly host: ChatHost;
  readonly store: Store<ChatView>;
  readonly session: AgentSession;
  readonly now: () => number;
  onResult(result: RunResult): void;
}

export function createConversation({ host, store, now, onResult, ...first }: Parts): Conversation {
  let { session } = first;
  let run: AgentRun | undefined;
  let waiting: AbortController | undefined;
  let isAhead = false;
  let working: Promise<void> | undefined;
  let lineOf = createEventLines({ isTTY: false, columns: undefined });

  const note = (text: string, tone?: Tone) => store.update((view) => addNote(view, text, tone));

  function say(prompt: string): void {
    if (working) store.update((view) => ({ ...view, queued: [...view.queued, prompt] }));
    else working = work(prompt);
  }

  async function work(prompt: string): Promise<void> {
    for (let next: string | undefined = prompt; next !== undefined; next = takeQueued()) await perform(next);
    working = undefined;
  }

  function takeQueued(): string | undefined {
    const [next, ...queued] = store.value.queued;
    store.update((view) => ({ ...view, queued }));
    return next;
  }

  async function perform(prompt: string): Promise<void> {
    lineOf = createEventLines({ isTTY: false, columns: undefined });
    store.update((view) => ({ ...view, sending: prompt, run: { startedAt: now(), isStopping: false } }));
    try {
      run = await begin(prompt);
      isAhead = false;
      for await (const event of run) follow(event);
      onResult(await run.result);
    } catch (error) {
      store.update(keepPrompt);
      if (isBridleError(error)) note(error.message, error.code === "stopped" ? "dim" : "error");
      else note(`Bridle failed in a way that it should not have. Please report this:\n${reasonIn(error)}`, "error");
    } finally {
      run = undefined;
      store.update(({ sending: _sending, ...view }) => withoutRun(view));
    }
  }

  /** What has the session elsewhere is waited for, and that is said. */
  async function begin(prompt: string): Promise<AgentRun> {
    waiting = new AbortController();
    const options = { ...host.limits, signal: waiting.signal };
    try {
      return await session.send(prompt, { ...options, whenBusy: "fail" });
    } catch (error) {
      if (!(error instanceof StoreBusyError) || error.holder === undefined) throw error;
      note(`This session has a run in the process ${error.holder}. Waiting until that has ended.`, "warning");
      return await session.send(prompt, options);
    }
  }

  function follow(event: RunEvent): void {
    store.update((view) => reduceView(view, event));
    const line = event.type.startsWith("tool.") ? undefined : lineOf(event);
    if (line) note(line.text, "warning");
    if (event.type !== "run.finished") return;
    store.update(keepPrompt);
    const reason = reasonOf(event.result);
    if (reason !== undefined) note(reason, event.result.stopReason === "stopped" ? "dim" : "error");
  }

  return {
    get session() {
      return session;
    },
    get isAhead() {
      return isAhead;
    },
    say,
    stop() {
      const { queued } = store.value;
      store.update(stopping);
      run?.stop("Esc was pressed");
      waiting?.abort("Esc was pressed");
      return queued;
    },
    async enter(other) {
      await session.close();
      session = other;
      isAhead = false;
    },
    markAhead() {
      isAhead = true;
    },
    async close() {
      store.update(stopping);
      await session.close();
      waiting?.abort("the chat was left");
      await working;
      await host.close();
    },
  };
}

/** A prompt that did not come onto the record stays to be seen. */
function keepPrompt({ sending, ...view }: ChatView): ChatView {
  return sending === undefined ? view : addNote(view, `> ${sending}`, "command");
}

function stopping({ run, ...view }: ChatView): ChatView {
  return { ...view, queued: [], ...(run && { run: { ...run, isStopping: true } }) };
}

function reasonIn(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
