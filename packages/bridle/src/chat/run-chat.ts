import type { Logger, RunResult } from "@bridle/core";
import { personOf } from "../approval/person-of.ts";
import type { Cli, Interrupt } from "../cli/cli.ts";
import { exitCodes } from "../cli/exit-codes.ts";
import { withRecord } from "../record/open-record.ts";
import { promptText } from "../record/prompt-text.ts";
import { createPaint } from "../run/paint.ts";
import { createWaiting } from "../run/waiting.ts";
import { explainFault } from "../tools-file/explain-fault.ts";
import { createActions } from "./actions.ts";
import type { ChatPlan } from "./chat-plan.ts";
import { createChatScreen } from "./chat-screen.ts";
import { createConversation } from "./conversation.ts";
import { openHost } from "./open-host.ts";
import { catchPrinted } from "./printed.ts";
import { createQuestionDesk } from "./question-desk.ts";
import { sayHowToGoOn } from "./say-how-to-go-on.ts";
import { createSessionControl, openSession, showSession, type WithRecord } from "./session-control.ts";
import { parseSlash } from "./slash.ts";
import { createStore } from "./store.ts";
import { createStyle } from "./style.ts";
import type { TerminalStreams } from "./terminal.ts";
import { addNote, createView, itemsOf, type Tone } from "./view.ts";

/** The chat on a terminal, until it is left. Resolves with the exit code; rejects where it could not begin. */
export async function runChat(
  plan: ChatPlan,
  cli: Cli,
  terminal: Pick<TerminalStreams, "input" | "output">,
): Promise<number> {
  const { environment, stdout } = cli;
  const now = () => Date.now();
  const store = createStore(createView(""));
  const note = (text: string, tone?: Tone) => store.update((view) => addNote(view, text, tone));
  const desk = createQuestionDesk(store);
  const approve = plan.approvals === "deny" ? {} : { approve: desk.approve };
  const host = await openWithPatience(cli, () => openHost(plan, cli, { ...approve, logger: noteLogger(note) }));
  /** Left by its person, by a signal, or because nobody is logged in. */
  const ended = Promise.withResolvers<number>();
  const record: WithRecord = (work) => withRecord(plan, cli, async (open) => work(open));
  const first = await openSession(host, typeof plan.resume === "object" ? plan.resume.id : undefined).catch(
    async (error: unknown) => {
      await host.close();
      throw error;
    },
  );
  let isAccepted = false;
  const conversation = createConversation({
    ...{ host, store, session: first, now },
    onResult({ error }: RunResult) {
      if (error?.code !== "authentication") isAccepted = true;
      else if (!isAccepted) ended.resolve(exitCodes.authentication); // the sentence stands in the conversation
    },
  });
  const control = createSessionControl({ host, store, conversation, withRecord: record });
  const leave = () => ended.resolve(exitCodes.natural);
  const width = () => (stdout.columns ?? 80) - 1;
  const actions = createActions({ ...{ cli, plan, host, conversation, control, withRecord: record, width }, leave });

  async function act(text: string): Promise<void> {
    const slash = parseSlash(text);
    if (slash === undefined) return conversation.say(text);
    note(`> ${text.trim()}`, "command");
    if (slash.kind === "unknown") return note(slash.message, "warning");
    if (store.value.run && slash.changesSession) return note("A run is in progress. Esc stops it.", "warning");
    const told = await actions[slash.name](slash.operand);
    if (typeof told === "string") note(told, "plain");
  }

  function submit(text: string): void {
    if (text.trim() === "") return;
    screen.remember(text);
    act(text).catch((error: unknown) => note(error instanceof Error ? error.message : String(error), "error"));
  }

  const screen = createChatScreen({
    streams: { ...terminal, write: (text) => stdout.write(text) },
    ...{ store, style: createStyle(createPaint(stdout, environment)), backend: host.runtime.backend, now, desk },
    ...{ by: personOf(environment) ?? "somebody at the terminal", submit, leave },
    stopRun: () => screen.draft(conversation.stop().join("\n")),
  });

  for (const warning of host.warnings) note(warning, "warning");
  showSession(store, first.id, await record((open) => open.events({ sessionId: first.id })));
  for (const item of itemsOf(store.value)) if (item.kind === "user") screen.remember(promptText(item.message));
  note(greeting(host.agent, first.totals.runs));
  const releases = [
    catchPrinted((text) => note(text)),
    cli.onInterrupt((interrupt: Interrupt) => ended.resolve(exitCodes[interrupt])),
    cli.onFault((error) => note(explainFault(error, cli), "error")),
  ];
  cli.outputClosed.addEventListener("abort", () => ended.resolve(exitCodes.SIGHUP), { once: true });
  screen.start();
  const code = await ended.promise;
  const left = { id: conversation.session.id, runs: conversation.session.totals.runs };
  await conversation.close();
  screen.stop();
  for (const release of releases) release();
  if (code !== exitCodes.authentication) sayHowToGoOn(left, cli);
  return code;
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

function greeting(agent: string | undefined, runs: number): string {
  const who = agent === undefined ? "" : `${agent}. `;
  return runs > 0
    ? `${who}Go on; /help tells what can be typed.`
    : `${who}Say something; /help tells what else can be typed.`;
}

function noteLogger(note: (text: string, tone: Tone) => void): Logger {
  const tell = (tone: Tone) => (fields: object, message: string) => {
    const error: unknown = Reflect.get(fields, "error");
    note(error instanceof Error ? `${message} (${error.message})` : message, tone);
  };
  return { debug() {}, info() {}, warn: tell("warning"), error: tell("error") };
}
