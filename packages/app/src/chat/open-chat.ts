import type { Logger, RunResult } from "@bridle/protocol";
import type { ProjectContext } from "../context/project-context.ts";
import { withEventLog } from "../events/event-log.ts";
import { FactCapture } from "../knowledge/memory/capture-facts.ts";
import type { AgentChatPlan } from "../runs/agent-plan.ts";
import type { AgentRunner } from "../runs/agent-runner.ts";
import { openRunner } from "../runs/open-runner.ts";
import { ChatRuns } from "./chat-runs.ts";
import { addNote, type ChatView, createView, type Tone } from "./chat-view.ts";
import { QuestionQueue } from "./question-queue.ts";
import { openChatSession, SessionControl, type WithEventLog } from "./session-control.ts";
import { ChatStore } from "./store.ts";

/** A chat without its screen. */
export interface OpenChat {
  readonly store: ChatStore<ChatView>;
  readonly questions: QuestionQueue;
  readonly runner: AgentRunner;
  readonly runs: ChatRuns;
  readonly control: SessionControl;
  readonly withEventLog: WithEventLog;
  note(text: string, tone?: Tone): void;
}

export interface OpenChatOptions {
  /** The current time, in milliseconds since the epoch. */
  readonly now: () => number;
  /** Whether no user is present. Runs then wait until used-up usage windows reset. */
  readonly unattended: boolean;
  /** Called if the host refuses credentials that it has not accepted before. */
  onRefused(): void;
}

/** Opens an agent and a session. Throws ConfigError and UsageError, and then leaves nothing open. */
export async function openChat(
  plan: AgentChatPlan,
  context: ProjectContext,
  options: OpenChatOptions,
): Promise<OpenChat> {
  const { now, unattended, onRefused } = options;
  const store = new ChatStore<ChatView>({ ...createView(""), isRehearsed: plan.rehearse !== undefined });
  const note = (text: string, tone?: Tone) => store.update((view) => addNote(view, text, tone));
  const questions = new QuestionQueue(store);
  const approve = plan.approvals === "deny" ? undefined : questions.approve.bind(questions);
  const logger = createNoteLogger(note);
  const runner = await openRunner(plan, context, { approve, unattended, logger });
  const session = await openChatSession(runner, { id: plan.sessionId }).catch(async (error: unknown) => {
    await runner.close();
    throw error;
  });
  const inEventLog: WithEventLog = (work) => withEventLog(context, async (eventLog) => work(eventLog));
  const capture = new FactCapture(plan, context, { logger, onCaptured: (sentence) => note(sentence) });
  const runs = new ChatRuns({ runner, store, session, capture, now, onResult: watchLogin(onRefused) });
  const control = new SessionControl({ runner, store, runs, withEventLog: inEventLog });
  return { store, questions, runner, runs, control, withEventLog: inEventLog, note };
}

/**
 * Calls `onRefused` if the host has accepted no request yet. Later, a refusal can mean that the credential has expired, which does not end
 * the chat.
 */
function watchLogin(onRefused: () => void): (result: RunResult) => void {
  let isAccepted = false;
  return ({ error }) => {
    if (error?.code !== "authentication") isAccepted = true;
    else if (!isAccepted) onRefused();
  };
}

/** Shows warnings and errors as notes. */
function createNoteLogger(note: (text: string, tone: Tone) => void): Logger {
  const write = (tone: Tone) => (fields: object, message: string) => {
    const error: unknown = Reflect.get(fields, "error");
    note(error instanceof Error ? `${message} (${error.message})` : message, tone);
  };
  return { debug() {}, info() {}, warn: write("warning"), error: write("error") };
}
