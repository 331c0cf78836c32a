/** A chat in lines: on a terminal that cannot be drawn on, a prompt a line; through a pipe one prompt. */
import { type RunEvent, type RunResult, StoreBusyError } from "@bridle/protocol";
import { createTerminalApprover } from "../approval/terminal-approver.ts";
import { createWaitingApprover } from "../approval/waiting-approver.ts";
import type { Cli } from "../cli/cli.ts";
import { exitCodeOfResult, exitCodes } from "../cli/exit-codes.ts";
import type { ReadLine } from "../cli/line-reader.ts";
import { UsageError } from "../cli/usage-error.ts";
import { saySentence } from "../report/say-sentence.ts";
import { type Interruption, watchInterruptions } from "../run/interruption.ts";
import { createStderrLogger } from "../run/logger.ts";
import { readPrompt } from "../run/prompt.ts";
import { reasonOf, sayReason, viewOf } from "../run/view.ts";
import { explainFault } from "../tools-file/explain-fault.ts";
import type { ChatHost } from "./chat-host.ts";
import type { ChatPlan } from "./chat-plan.ts";
import { type HostParts, openHost } from "./open-host.ts";
import { sayHowToGoOn } from "./say-how-to-go-on.ts";
import { openSession } from "./session-control.ts";

/** Until the input ends. Resolves with the exit code of the last answer; rejects where the chat could not begin. */
export async function runPlainChat(plan: ChatPlan, cli: Cli): Promise<number> {
  const { readLine, stderr } = cli;
  const prompt = readLine ? undefined : await readPiped(cli);
  const interruption = watchInterruptions(cli);
  const host = await openHost(plan, cli, { ...approverOf(plan, cli), logger: createStderrLogger(stderr) });
  try {
    for (const warning of host.warnings) saySentence(warning, stderr);
    const session = await openSession(host, typeof plan.resume === "object" ? plan.resume.id : undefined);
    const show = viewOf(plan.json ? "events" : "text", false, cli);
    const answer = (text: string) => perform(text, { session, show, host, plan, cli, interruption });
    const code =
      prompt === undefined && readLine
        ? await converse(readLine, answer, interruption, cli)
        : await answer(prompt ?? "");
    if (stderr.isTTY && !plan.json) sayHowToGoOn({ id: session.id, runs: session.totals.runs }, cli);
    return code;
  } finally {
    await host.close();
    interruption.dispose();
  }
}

async function readPiped({ stdin }: Cli): Promise<string> {
  try {
    return await readPrompt("-", stdin);
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    throw new UsageError('Standard input is empty. Pipe a prompt in, or start "bridle chat" at a terminal.');
  }
}

/** A prompt a line, until the input is closed or somebody leaves. A failed answer does not end it, but no login does. */
async function converse(
  readLine: ReadLine,
  answer: (text: string) => Promise<number>,
  { signal, interrupt }: Interruption,
  { stderr }: Cli,
): Promise<number> {
  stderr.write('A prompt is a line. "/exit" leaves.\n');
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

interface Surroundings {
  readonly session: Awaited<ReturnType<typeof openSession>>;
  readonly show: (event: RunEvent) => void;
  readonly host: Pick<ChatHost, "limits">;
  readonly plan: ChatPlan;
  readonly cli: Cli;
  readonly interruption: Interruption;
}

async function perform(prompt: string, surroundings: Surroundings): Promise<number> {
  const { session, show, host, plan, cli, interruption } = surroundings;
  const options = { ...host.limits, signal: interruption.signal };
  const run = await session.send(prompt, { ...options, whenBusy: "fail" }).catch((error: unknown) => {
    if (!(error instanceof StoreBusyError) || error.holder === undefined) throw error;
    saySentence(`This session has a run in the process ${error.holder}. Waiting until that has ended.`, cli.stderr);
    return session.send(prompt, options);
  });
  for await (const event of run) show(event);
  const result = await run.result;
  if (result.object !== undefined && !plan.json) cli.stdout.write(`${JSON.stringify(result.object, undefined, 2)}\n`);
  return conclude(result, interruption, cli);
}

function conclude(result: RunResult, { interrupt, fault }: Interruption, cli: Cli): number {
  sayReason(fault ? explainFault(fault.error, cli) : reasonOf(result), cli);
  if (fault && !interrupt) return exitCodes.otherwise;
  return exitCodeOfResult(result, interrupt);
}

/** Whoever sits at a terminal, else another process where that is wanted; without any, `ask` is `deny`. */
function approverOf({ approvals, ...where }: ChatPlan, cli: Cli): Pick<HostParts, "approve"> {
  const { environment, stderr, readLine } = cli;
  if (approvals === "deny") return {};
  if (readLine) return { approve: createTerminalApprover({ stderr, readLine, environment }) };
  return approvals === "wait" ? { approve: createWaitingApprover({ stderr, environment, where }) } : {};
}
