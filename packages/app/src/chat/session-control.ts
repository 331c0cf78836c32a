import { forkSession } from "@bridle/core";
import { type AgentSession, type EventLog, InvalidRequestError, omitUndefined, type RunEvent } from "@bridle/protocol";
import { unknownSession } from "../events/find-session.ts";
import type { AgentRunner } from "../runs/agent-runner.ts";
import type { ChatRuns } from "./chat-runs.ts";
import { addNote, type ChatView, enterSession } from "./chat-view.ts";
import type { ChatStore } from "./store.ts";

/** How many entries of a session are shown when a chat resumes it. */
const shownEntries = 40;

/** Opens the project's event log while some work needs it. */
export type WithEventLog = <T>(work: (eventLog: EventLog) => T | Promise<T>) => Promise<T>;

export interface SessionControlOptions {
  readonly runner: AgentRunner;
  readonly store: ChatStore<ChatView>;
  readonly runs: ChatRuns;
  readonly withEventLog: WithEventLog;
}

export function openChatSession(
  { runtime, request }: AgentRunner,
  { id, model }: { readonly id?: string | undefined; readonly model?: string | undefined } = {},
): Promise<AgentSession> {
  return runtime.openSession({ ...request, ...omitUndefined({ id, model }) });
}

/** Shows the newest entries of a session. */
export function showSession(store: ChatStore<ChatView>, id: string, events: readonly RunEvent[]): void {
  store.update((view) => enterSession(view, id, events, shownEntries));
}

/** Changes the session of a chat, and the model of its next runs. */
export class SessionControl {
  readonly #runner: AgentRunner;
  readonly #store: ChatStore<ChatView>;
  readonly #runs: ChatRuns;
  readonly #withEventLog: WithEventLog;
  #model: string | undefined;

  constructor({ runner, store, runs, withEventLog }: SessionControlOptions) {
    this.#runner = runner;
    this.#store = store;
    this.#runs = runs;
    this.#withEventLog = withEventLog;
  }

  async startNew(): Promise<void> {
    const before = this.#store.value.session;
    await this.#enter();
    this.#note(`A new session: ${this.#store.value.session}. /sessions ${before} returns to the old one.`);
  }

  /** Throws ConfigError if the project has no such session. */
  async resume(id: string): Promise<void> {
    const events = await this.#withEventLog((eventLog) => readSession(eventLog, id));
    await this.#enter(id, events);
    this.#note(`Resumed the session ${id}.`);
  }

  /** Continues in a copy of the session. Throws InvalidRequestError if the session is empty. */
  async fork(): Promise<void> {
    const from = this.#store.value.session;
    const history = this.#editedHistory();
    const fork = await this.#withEventLog(async (eventLog) => {
      if ((await eventLog.read({ sessionId: from, limit: 1 })).length > 0) return forkSession(eventLog, { from });
      throw new InvalidRequestError("This session is empty, so there is nothing to fork. Send a prompt first.");
    });
    await this.#enter(fork);
    this.#restore(history);
    this.#note(`Forked: this is ${fork}, with the whole conversation. /sessions ${from} returns to the old one.`);
  }

  /** Changes the model of the next runs. */
  async changeModel(model: string): Promise<void> {
    const history = this.#editedHistory();
    await this.#runs.enter(await openChatSession(this.#runner, { id: this.#runs.session.id, model }));
    this.#model = model;
    this.#restore(history);
    this.#store.update((view) => ({ ...view, model }));
  }

  async #enter(id?: string, events: readonly RunEvent[] = []): Promise<void> {
    const session = await openChatSession(this.#runner, { id, model: this.#model });
    await this.#runs.enter(session);
    showSession(this.#store, session.id, events);
  }

  /** Returns the edited history if only this process has it. */
  #editedHistory(): ReturnType<AgentSession["history"]> | undefined {
    return this.#runs.isAhead ? this.#runs.session.history() : undefined;
  }

  #restore(history: ReturnType<AgentSession["history"]> | undefined): void {
    if (history === undefined) return;
    this.#runs.session.edit(history);
    this.#runs.markAhead();
  }

  #note(text: string): void {
    this.#store.update((view) => addNote(view, text));
  }
}

async function readSession(eventLog: EventLog, id: string): Promise<readonly RunEvent[]> {
  const events = await eventLog.read({ sessionId: id });
  if (events.length > 0) return events;
  throw await unknownSession(eventLog, id);
}
