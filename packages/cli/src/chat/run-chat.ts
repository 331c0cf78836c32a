import { userName } from "@bridle/app/approvals";
import { listPaths } from "@bridle/app/attachments";
import { listItems, type OpenChat, openChat, readEarlierPrompts, showSession, typedText } from "@bridle/app/chat";
import { explainFault } from "@bridle/app/modules";
import type { AgentChatPlan } from "@bridle/app/runs";
import { getErrorMessage } from "@bridle/protocol";
import type { ProjectCli } from "../command/cli.ts";
import { exitCodes } from "../command/exit-codes.ts";
import { nameCommands } from "../command/name-commands.ts";
import { captureOutput } from "../terminal/capture-output.ts";
import { createPaint } from "../terminal/paint.ts";
import { printResumeHint } from "../terminal/resume-hint.ts";
import { whileWaiting } from "../terminal/waiting-line.ts";
import { ChatScreen } from "./chat-screen.ts";
import type { ChoiceQuestion } from "./choice-panel.ts";
import { createSender } from "./input/send-prompt.ts";
import { rehearsalNotice } from "./rehearsal-notice.ts";
import { createActions } from "./slash/actions.ts";
import { parseSlash } from "./slash/slash.ts";
import { createStyle } from "./style.ts";
import type { TerminalStreams } from "./terminal.ts";

const now = () => Date.now();

/** Runs a chat on a terminal until the user leaves. Resolves with the exit code. Rejects if the chat cannot start. */
export async function runChat(
  plan: AgentChatPlan,
  cli: ProjectCli,
  terminal: Pick<TerminalStreams, "input" | "output">,
): Promise<number> {
  const { promise: left, resolve } = Promise.withResolvers<number>();
  const leave = (code: number = exitCodes.natural) => resolve(code);
  const onRefused = () => leave(exitCodes.authentication);
  const options = { now, unattended: !cli.stdout.isTTY, onRefused };
  const chat = await whileWaiting("opening", cli, () => openChat(plan, cli, options));
  const screen = createScreen(chat, { plan, cli, terminal, leave });
  await showStart(chat, screen, plan);
  const release = watchOutside(chat, leave, cli);
  screen.start();
  const code = await left;
  const { id, totals } = chat.runs.session;
  await chat.runs.close();
  screen.stop();
  release();
  if (code !== exitCodes.authentication) printResumeHint({ id, runs: totals.runs }, cli);
  return code;
}

interface ScreenParts {
  readonly plan: AgentChatPlan;
  readonly cli: ProjectCli;
  readonly terminal: Pick<TerminalStreams, "input" | "output">;
  leave(code?: number): void;
}

function createScreen(chat: OpenChat, { plan, cli, terminal, leave }: ScreenParts): ChatScreen {
  const { store, questions, runs, runner } = chat;
  const { environment, stdout } = cli;
  const act = createAct(chat, { plan, cli, leave, choose: (question) => screen.choose(question) });
  const screen: ChatScreen = new ChatScreen({
    streams: { ...terminal, write: (text) => stdout.write(text) },
    store,
    questions,
    now,
    style: createStyle(createPaint(stdout, environment)),
    backend: runner.runtime.backend,
    by: userName(),
    leave: () => leave(),
    findPaths: (start) => listPaths(start, cli.cwd),
    submit(text) {
      if (text.trim() === "") return;
      screen.remember(text);
      act(text)
        .then((unsent) => screen.draft(unsent ?? ""))
        .catch((error: unknown) => chat.note(getErrorMessage(error), "error"));
    },
    stopRun: (key) => screen.draft(runs.stop(`${key} was pressed`).join("\n")),
  });
  return screen;
}

interface ActParts {
  readonly plan: AgentChatPlan;
  readonly cli: ProjectCli;
  leave(): void;
  choose(question: ChoiceQuestion): Promise<number | undefined>;
}

/** Handles a line: a prompt, or a command of the chat. Resolves with a prompt to put back into the input line. */
function createAct(
  chat: OpenChat,
  { plan, cli, leave, choose }: ActParts,
): (text: string) => Promise<string | undefined> {
  const { store, note } = chat;
  const width = () => (cli.stdout.columns ?? 80) - 1;
  const actions = createActions({ chat, cli, plan, width, choose, leave: () => leave() });
  const send = createSender(chat, { cwd: cli.cwd, attachments: plan.attachments ?? [], choose });
  return async (text) => {
    const slash = parseSlash(text);
    if (slash === undefined) return send(text);
    note(`> ${text.trim()}`, "command");
    if (slash.kind === "unknown") note(slash.message, "warning");
    else if (store.value.run && slash.changesSession) note("A run is in progress. Esc stops it.", "warning");
    else {
      const result = await actions[slash.name](slash.operand);
      if (typeof result === "string") note(nameCommands(result, cli.stdout), "plain");
    }
    return undefined;
  };
}

async function showStart(
  { store, runner, runs, withEventLog, note }: OpenChat,
  screen: ChatScreen,
  plan: AgentChatPlan,
): Promise<void> {
  const { id, totals } = runs.session;
  for (const warning of runner.warnings) note(warning, "warning");
  if (plan.rehearse !== undefined) note(rehearsalNotice(plan.rehearse), "warning");
  for (const prompt of await withEventLog((eventLog) => readEarlierPrompts(eventLog, id))) screen.remember(prompt);
  showSession(store, id, await withEventLog((eventLog) => eventLog.read({ sessionId: id })));
  for (const item of listItems(store.value)) if (item.kind === "user") screen.remember(typedText(item.message));
  const name = runner.agent === undefined ? "" : `${runner.agent}. `;
  note(`${name}${totals.runs > 0 ? "Continue the conversation" : "Type a prompt"}, or /help.`);
}

/** Handles events from outside of the chat while it is on the screen. */
function watchOutside({ note }: OpenChat, leave: (code: number) => void, cli: ProjectCli): () => void {
  const onClosed = () => leave(exitCodes.SIGHUP);
  cli.outputClosed.addEventListener("abort", onClosed, { once: true });
  const releases = [
    captureOutput((text) => note(text)),
    cli.onInterrupt((interrupt) => leave(exitCodes[interrupt])),
    cli.onFault((error) => note(explainFault(error, cli), "error")),
    () => cli.outputClosed.removeEventListener("abort", onClosed),
  ];
  return () => {
    for (const release of releases) release();
  };
}
