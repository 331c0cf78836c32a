import { personOf } from "@bridle/app/approvals";
import { type Cli } from "../command-line/cli.ts";
import { exitCodes } from "../command-line/exit-codes.ts";
import { promptText } from "@bridle/app/events";
import { createPaint } from "../terminal/paint.ts";
import { explainFault } from "@bridle/app/modules";
import { createActions } from "./actions.ts";
import { type ChatPlan } from "@bridle/app/runs";
import { type ChatScreen, createChatScreen } from "./chat-screen.ts";
import { type OpenConversation, openConversation, showSession, itemsOf } from "@bridle/app/chat";
import { catchPrinted } from "../terminal/capture-output.ts";
import { sayHowToGoOn } from "./resume-hint.ts";
import { parseSlash } from "./slash.ts";
import { createStyle } from "./style.ts";
import { type TerminalStreams } from "./terminal.ts";

const now = () => Date.now();

/** The chat on a terminal, until it is left. Resolves with the exit code; rejects where it could not begin. */
export async function runChat(
  plan: ChatPlan,
  cli: Cli,
  terminal: Pick<TerminalStreams, "input" | "output">,
): Promise<number> {
  const chat = await openConversation(plan, cli, now);
  const { store, desk, host, conversation } = chat;
  const { environment, stdout } = cli;
  const act = createAct(chat, plan, cli);
  const screen = createChatScreen({
    streams: { ...terminal, write: (text) => stdout.write(text) },
    ...{ store, style: createStyle(createPaint(stdout, environment)), backend: host.runtime.backend, now, desk },
    ...{ by: personOf(environment) ?? "somebody at the terminal", leave: () => chat.leave() },
    submit(text) {
      if (text.trim() === "") return;
      screen.remember(text);
      act(text).catch((error: unknown) => chat.note(error instanceof Error ? error.message : String(error), "error"));
    },
    stopRun: () => screen.draft(conversation.stop().join("\n")),
  });
  await showBeginning(chat, screen);
  const release = watch(chat, cli);
  screen.start();
  const code = await chat.ended;
  const left = { id: conversation.session.id, runs: conversation.session.totals.runs };
  await conversation.close();
  screen.stop();
  release();
  if (code !== exitCodes.authentication) sayHowToGoOn(left, cli);
  return code;
}

/** What becomes of a line: a prompt, or a command of the chat itself. */
function createAct(chat: OpenConversation, plan: ChatPlan, cli: Cli): (text: string) => Promise<void> {
  const { store, conversation, note } = chat;
  const width = () => (cli.stdout.columns ?? 80) - 1;
  const actions = createActions({ ...chat, cli, plan, width, leave: () => chat.leave() });
  return async (text) => {
    const slash = parseSlash(text);
    if (slash === undefined) return conversation.say(text);
    note(`> ${text.trim()}`, "command");
    if (slash.kind === "unknown") return note(slash.message, "warning");
    if (store.value.run && slash.changesSession) return note("A run is in progress. Esc stops it.", "warning");
    const told = await actions[slash.name](slash.operand);
    if (typeof told === "string") note(told, "plain");
  };
}

async function showBeginning(chat: OpenConversation, screen: ChatScreen): Promise<void> {
  const { store, host, conversation, withRecord, note } = chat;
  const { id, totals } = conversation.session;
  for (const warning of host.warnings) note(warning, "warning");
  showSession(store, id, await withRecord((record) => record.events({ sessionId: id })));
  for (const item of itemsOf(store.value)) if (item.kind === "user") screen.remember(promptText(item.message));
  const who = host.agent === undefined ? "" : `${host.agent}. `;
  note(`${who}${totals.runs > 0 ? "Go on" : "Say something"}; /help tells what else can be typed.`);
}

/** What comes from outside while the chat is on the screen. */
function watch({ note, leave }: OpenConversation, cli: Cli): () => void {
  const onClosed = () => leave(exitCodes.SIGHUP);
  cli.outputClosed.addEventListener("abort", onClosed, { once: true });
  const releases = [
    catchPrinted((text) => note(text)),
    cli.onInterrupt((interrupt) => leave(exitCodes[interrupt])),
    cli.onFault((error) => note(explainFault(error, cli), "error")),
    () => cli.outputClosed.removeEventListener("abort", onClosed),
  ];
  return () => {
    for (const release of releases) release();
  };
}
