/** Which session a chat is in, and on which model its runs go. */

import { forkSession } from "@bridle/core";
import {
  type AgentSession,
  ConfigError,
  type EventLog,
  InvalidRequestError,
  type RunEvent,
  suggestion,
} from "@bridle/protocol";
import type { ChatHost } from "./chat-host.ts";
import type { Conversation } from "./conversation.ts";
import type { Store } from "./store.ts";
import { addNote, type ChatView, enterSession } from "./view.ts";

/** Entries of a session that are shown when a chat goes on with it. */
const shownEntries = 40;

export type WithRecord = <T>(work: (record: EventLog) => T | Promise<T>) => Promise<T>;

export interface SessionControl {
  begin(): Promise<void>;
  /** Throws ConfigError for a session that is not on record. */
  goOn(id: string): Promise<void>;
  fork(): Promise<void>;
  /** For the runs from the next one on. */
  changeModel(model: string): Promise<void>;
}

interface Parts {
  readonly host: ChatHost;
  readonly store: Store<ChatView>;
  readonly conversation: Conversation;
  readonly withRecord: WithRecord;
}

export function openSession({ runtime, request }: ChatHost, id?: string, model?: string): Promise<AgentSession> {
  return runtime.openSession({ ...request, ...(id !== undefined && { id }), ...(model !== undefined && { model }) });
}

/** Shows the newest of what is on record of a session. */
export function showSession(store: Store<ChatView>, id: string, events: readonly RunEvent[]): void {
  store.update((view) => enterSession(view, id, events, shownEntries));
}

export function createSessionControl({ host, store, conversation, withRecord }: Parts): SessionControl {
  let chosen: string | undefined;
  const note = (text: string) => store.update((view) => addNote(view, text));

  async function enter(id?: string, events: readonly RunEvent[] = []): Promise<void> {
    const session = await openSession(host, id, chosen);
    await conversation.enter(session);
    showSession(store, session.id, events);
  }

  return {
    async begin() {
      const before = store.value.session;
      await enter();
      note(`A new session, ${store.value.session}. /sessions ${before} goes back.`);
    },
    async goOn(id) {
      const events = await withRecord((record) => eventsOf(record, id));
      await enter(id, events);
      note(`Going on with the session ${id}.`);
    },
    async fork() {
      const from = store.value.session;
      const history = conversation.isAhead ? conversation.session.history() : undefined;
      const fork = await withRecord((record) => {
        if (record.events({ sessionId: from, limit: 1 }).length > 0) return forkSession(record, { from });
        throw new InvalidRequestError("Nothing was said in this session yet, so there is nothing to fork.");
      });
      await enter(fork);
      if (history) {
        conversation.session.edit(history);
        conversation.markAhead();
      }
      note(`Forked: this is ${fork} now, with all that was said. /sessions ${from} goes back.`);
    },
    async changeModel(model) {
      const { session, isAhead } = conversation;
      const history = isAhead ? session.history() : undefined;
      const next = await openSession(host, session.id, model);
      await conversation.enter(next);
      chosen = model;
      if (history) {
        next.edit(history);
        conversation.markAhead();
      }
      store.update((view) => ({ ...view, model }));
    },
  };
}

function eventsOf(record: EventLog, id: string): readonly RunEvent[] {
  const events = record.events({ sessionId: id });
  if (events.length > 0) return events;
  const known = record.sessions().map(({ sessionId }) => sessionId);
  throw new ConfigError(`No session "${id}" is on record in this project.${suggestion(id, known)}`);
}
