import { type AgentRunPlan, answersWithObject, endReason, performRun, type RunEffects } from "@bridle/app/runs";
import { isBridleError, type RunResult } from "@bridle/protocol";
import type { ProjectCli } from "../../command/cli.ts";
import { exitCodeOfResult, exitCodes } from "../../command/exit-codes.ts";
import { chooseApprover } from "../../questions/choose-approver.ts";
import { createRunView, type OutputForm, printReason, printResult } from "../../run-view/run-view.ts";
import { Interruption, reportInterrupt } from "../../terminal/interruption.ts";
import { createStderrLogger } from "../../terminal/logger.ts";
import { printSentence } from "../../terminal/print-sentence.ts";
import { describeFault } from "./describe-fault.ts";
import { printBusy, printSession, printSessionHint } from "./session-lines.ts";

/** Performs a run, shows what happens, and resolves with the exit code. Rejects if the run could not start. */
export async function runAndPrint(
  plan: AgentRunPlan,
  form: OutputForm,
  cli: ProjectCli,
  perform: typeof performRun = performRun,
): Promise<number> {
  const interruption = new Interruption(cli);
  let result: RunResult;
  try {
    result = await perform(plan, cli, createEffects(plan, form, interruption, cli));
  } catch (error) {
    const { interrupt } = interruption;
    if (interrupt && isStopped(error)) return reportInterrupt("The run was", interrupt, cli);
    throw error;
  } finally {
    interruption.dispose();
  }
  return conclude(result, { plan, form, interruption, cli });
}

function createEffects(plan: AgentRunPlan, form: OutputForm, { signal }: Interruption, cli: ProjectCli): RunEffects {
  const onEvent = createRunView(form, answersWithObject(plan), cli);
  return {
    signal,
    onEvent,
    logger: createStderrLogger(cli.stderr),
    approve: chooseApprover(plan.approvals, cli),
    unattended: !cli.stdout.isTTY,
    onWarning: (warning) => printSentence(`Warning: ${warning}`, cli.stderr),
    onSession(session) {
      if (form === "text") printSession(session, cli);
    },
    onBusy: (holder) => printBusy(`The session ${plan.sessionId}`, holder, cli),
  };
}

interface Finished {
  readonly plan: AgentRunPlan;
  readonly form: OutputForm;
  readonly interruption: Interruption;
  readonly cli: ProjectCli;
}

async function conclude(result: RunResult, { plan, form, interruption, cli }: Finished): Promise<number> {
  const { fault, interrupt } = interruption;
  printResult(result, plan, form, cli);
  if (fault === undefined) {
    printReason(endReason(result), cli);
    if (form === "text") printSessionHint(plan.sessionId, cli);
    return exitCodeOfResult(result, interrupt);
  }
  if (plan.tools.length === 0) throw fault.error;
  printReason(await describeFault(fault.error, cli), cli);
  return interrupt ? exitCodes[interrupt] : exitCodes.otherwise;
}

/** The run had not started: it waited for another run of its session. */
function isStopped(error: unknown): boolean {
  return isBridleError(error) && error.code === "stopped";
}
