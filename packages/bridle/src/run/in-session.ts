import {
  type AgentRuntime,
  type AgentSession,
  counted,
  type LoopRequest,
  type SessionRequest,
  StoreBusyError,
} from "@bridle/protocol";
import type { Cli } from "../cli/cli.ts";
import { saySentence } from "../report/say-sentence.ts";
import { createPaint } from "./paint.ts";
import type { RunPlan } from "./plan.ts";
import { createWaiting } from "./waiting.ts";

type SendRequest = Pick<LoopRequest, "prompt" | "signal" | "timeoutMs">;

/** One run of a session, to its end. What has it elsewhere is waited for, and that is said. */
export async function runInSession(
  runtime: AgentRuntime,
  request: SessionRequest,
  { prompt, ...options }: SendRequest,
  { form }: Pick<RunPlan, "form">,
  cli: Cli,
): Promise<void> {
  const session = await runtime.openSession(request);
  if (form === "text") sayWhere(session, cli);
  const run = await session.send(prompt, { ...options, whenBusy: "fail" }).catch(async (error: unknown) => {
    if (!(error instanceof StoreBusyError) || error.holder === undefined) throw error;
    return waitFor(error.holder, session, () => session.send(prompt, options), cli);
  });
  await run.result;
}

async function waitFor<T>(holder: number, { id }: AgentSession, work: () => Promise<T>, cli: Cli): Promise<T> {
  const { stderr, environment } = cli;
  saySentence(`The session ${id} has a run in the process ${holder}. Waiting until that has ended.`, stderr);
  const waiting = createWaiting(stderr, environment);
  waiting.restart("waiting");
  try {
    return await work();
  } finally {
    waiting.stop();
  }
}

/** A mistyped id begins a session of its own: who sits there sees it. */
function sayWhere({ id, totals, history }: AgentSession, { stderr, environment }: Cli): void {
  if (!stderr.isTTY) return;
  const told = history().length === 0 ? "new" : counted(history().length, "message");
  const text = totals.runs === 0 ? told : `after ${counted(totals.runs, "run")}`;
  stderr.write(`${createPaint(stderr, environment)("dim", `Session ${id}, ${text}`)}\n`);
}

/** For whoever sits at the terminal. */
export function sayHowToGoOn({ form, sessionId, projectDir, namespace }: RunPlan, cli: Cli): void {
  const { stderr, environment, outputClosed } = cli;
  if (sessionId === undefined || form !== "text" || !stderr.isTTY || outputClosed.aborted) return;
  const where = [
    ...(projectDir === undefined ? [] : [`--project-dir ${JSON.stringify(projectDir)} `]),
    ...(namespace === undefined ? [] : [`--namespace ${JSON.stringify(namespace)} `]),
  ];
  const line = `To go on: bridle run --session ${sessionId} ${where.join("")}…`;
  stderr.write(`${createPaint(stderr, environment)("dim", line)}\n`);
}
