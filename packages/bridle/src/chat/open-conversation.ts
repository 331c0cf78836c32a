import type { Logger, RunResult } from "@bridle/protocol";
import type { Cli } from "../cli/cli.ts";
import { exitCodes } from "../cli/exit-codes.ts";
import { withRecord } from "../record/open-record.ts";
import { createWaiting } from "../run/waiting.ts";
import type { ChatHost } from "./chat-host.ts";
import type { ChatPlan } from "./chat-plan.ts";
import { type Conversation, createConversation } from "./conversation.ts";
import { openHost } from "./open-host.ts";
import { createQuestionDesk, type QuestionDesk } from "./question-desk.ts";
import { createSessionControl, openSession, type SessionControl, type WithRecord } from "./session-control.ts";
import { createStore, type Store } from "./store.ts";
import { addNote, type ChatView, createView, type Tone } from "./view.ts";

/** A chat without its screen. */
export interface OpenConversation {
  readonly store: Store<ChatView>;
  readonly desk: QuestionDesk;
  readonly host: ChatHost;
  readonly conversation: Conversation;
  readonly control: SessionControl;
  readonly withRecord: WithRecord;
  /** The exit code, once the chat was left: by its person, by a signal, or because nobody is logged in. */
  readonly ended: Promise<number>;
  note(text: string, tone?: Tone): void;
  leave(code?: number): void;
}

/** Opens what is talked to and a session of it. Throws ConfigError and UsageError, and then leaves nothing open. */
export async function openConversation(plan: ChatPlan, cli: Cli, now: () => number): Promise<OpenConversation> {
  const store = createStore(createView(""));
  const note = (text: string, tone?: Tone) => store.update((view) => addNote(view, text, tone));
  const desk = createQuestionDesk(store);
  const approve = plan.approvals === "deny" ? {} : { approve: desk.approve };
  const host = await openWithPatience(cli, () => openHost(plan, cli, { ...approve, logger: noteLogger(note) }));
  const record: WithRecord = (work) => withRecord(plan, cli, async (open) => work(open));
  const { promise: ended, resolve } = Promise.withResolvers<number>();
  const id = typeof plan.resume === "object" ? plan.resume.id : undefined;
  const session = await openSession(host, id).catch(async (error: unknown) => {
    await host.close();
    throw error;
  });
  const onResult = watchLogin(() => resolve(exitCodes.authentication));
  const conversation = createConversation({ host, store, session, now, onResult });
  const control = createSessionControl({ host, store, conversation, withRecord: record });
  return {
    ...{ store, desk, host, conversation, control, withRecord: record, ended, note },
    leave: (code = exitCodes.natural) => resolve(code),
  };
}

/** A first answer that nobody may have ends the chat; later a credential may just have run out. */
function watchLogin(refused: () => void): (result: RunResult) => void {
  let isAccepted = false;
  return ({ error }) => {
    if (error?.code !== "authentication") isAccepted = true;
    else if (!isAccepted) refused();
  };
}

/** Documents may be indexed and servers started. */
async function openWithPatience<T>({ stderr, environment }: Cli, open: () => Promise<T>): Promise<T> {
  const waiting = createWaiting(stderr, environment);
  waiting.restart("opening");
  try {
    return await open();
  } finally {
    waiting.stop();
  }
}

function noteLogger(note: (text: string, tone: Tone) => void): Logger {
  const tell = (tone: Tone) => (fields: object, message: string) => {
    const error: unknown = Reflect.get(fields, "error");
    note(error instanceof Error ? `${message} (${error.message})` : message, tone);
  };
  return { debug() {}, info() {}, warn: tell("warning"), error: tell("error") };
}
