/** A chat in plain lines: one prompt per line on a simple terminal, or one prompt through a pipe. */
import { UsageError } from "@bridle/app";
import { type AttachedPrompt, attachedMessage } from "@bridle/app/attachments";
import { openChatSession } from "@bridle/app/chat";
import { FactCapture } from "@bridle/app/knowledge";
import { explainFault } from "@bridle/app/modules";
import { type AgentChatPlan, type AgentRunner, endReason, openRunner, sendWhenFree } from "@bridle/app/runs";
import type { AgentSession, RunEvent, RunResult } from "@bridle/protocol";
import type { ProjectCli } from "../command/cli.ts";
import { exitCodeOfResult, exitCodes } from "../command/exit-codes.ts";
import type { ReadLine } from "../command/line-reader.ts";
import { readPrompt } from "../commands/run/read-prompt.ts";
import { chooseApprover } from "../questions/choose-approver.ts";
import { createRunView, printReason } from "../run-view/run-view.ts";
import { Interruption } from "../terminal/interruption.ts";
import { createStderrLogger } from "../terminal/logger.ts";
import { printJson, printSentence } from "../terminal/print-sentence.ts";
import { printResumeHint } from "../terminal/resume-hint.ts";
import { rehearsalNotice } from "./rehearsal-notice.ts";

/** Chats until the input ends. Resolves with the exit code of the last answer. Rejects if the chat cannot start. */
export async function runPlainChat(plan: AgentChatPlan, json: boolean, cli: ProjectCli): Promise<number> {
  const { readLine, stderr } = cli;
  const prompt = readLine ? undefined : await readPiped(cli);
  const interruption = new Interruption(cli);
  const logger = createStderrLogger(stderr);
  const runner = await openRunner(plan, cli, {
    approve: chooseApprover(plan.approvals, cli),
    logger,
    unattended: !cli.stdout.isTTY,
  });
  const capture = new FactCapture(plan, cli, { logger, onCaptured: (sentence) => printSentence(sentence, stderr) });
  try {
    for (const warning of runner.warnings) printSentence(warning, stderr);
    if (plan.rehearse !== undefined && stderr.isTTY) printSentence(rehearsalNotice(plan.rehearse), stderr);
    const session = await openChatSession(runner, { id: plan.sessionId });
    const show = createRunView(json ? "events" : "text", false, cli);
    let attachments = plan.attachments ?? [];
    const answer = async (text: string) => {
      const prompt = { text, attachments };
      attachments = [];
      const said = { text, before: session.history(), session: session.id };
      const code = await perform(prompt, { session, show, runner, json, cli, interruption });
      if (readLine) capture.add(said); // input from a pipe may not come from a user
      return code;
    };
    const code =
      prompt === undefined && readLine
        ? await answerLines(readLine, answer, interruption, cli)
        : await answer(prompt ?? "");
    if (stderr.isTTY && !json) printResumeHint({ id: session.id, runs: session.totals.runs }, cli);
    return code;
  } finally {
    await capture.close();
    await runner.close();
    interruption.dispose();
  }
}

async function readPiped({ stdin }: ProjectCli): Promise<string> {
  try {
    return await readPrompt("-", stdin);
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    throw new UsageError('Standard input is empty. Pipe a prompt in, or start "bridle chat" at a terminal.');
  }
}

/** Answers one prompt per line. A failed answer does not end the chat, but a refused login does. */
async function answerLines(
  readLine: ReadLine,
  answer: (text: string) => Promise<number>,
  { signal, interrupt }: Interruption,
  { stderr }: ProjectCli,
): Promise<number> {
  stderr.write('Type one prompt on each line. "/exit" leaves.\n');
  for (;;) {
    stderr.write("> ");
    const line = await readLine(signal);
    if (line === undefined) stderr.write("\n");
    if (signal.aborted) return interrupt ? exitCodes[interrupt] : exitCodes.otherwise;
    if (line === undefined || line.trim() === "/exit") return exitCodes.natural;
    if (line.trim() === "") continue;
    const code = await answer(line);
    if (code === exitCodes.authentication) return code;
  }
}

interface PlainChat {
  readonly session: AgentSession;
  readonly show: (event: RunEvent) => void;
  readonly runner: Pick<AgentRunner, "limits">;
  readonly json: boolean;
  readonly cli: ProjectCli;
  readonly interruption: Interruption;
}

async function perform(prompt: AttachedPrompt, chat: PlainChat): Promise<number> {
  const { session, show, runner, json, cli, interruption } = chat;
  const options = { ...runner.limits, signal: interruption.signal };
  const run = await sendWhenFree(session, [attachedMessage(prompt)], options, (holder) => {
    printSentence(`This session has a run in ${holder}. Waiting until it has ended.`, cli.stderr);
    return undefined;
  });
  for await (const event of run) show(event);
  const result = await run.result;
  if (result.object !== undefined && !json) printJson(result.object, cli.stdout);
  return conclude(result, interruption, cli);
}

function conclude(result: RunResult, { interrupt, fault }: Interruption, cli: ProjectCli): number {
  printReason(fault ? explainFault(fault.error, cli) : endReason(result), cli);
  if (fault && !interrupt) return exitCodes.otherwise;
  return exitCodeOfResult(result, interrupt);
}
