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

/** Performs a run, shows what happens, and resolves with the exit code. Rejects if the run cannot start. */
export async function runAndPrint(plan: AgentRunPlan, form: OutputForm, cli: ProjectCli): Promise<number> {
  const { code } = await showRun(plan, form, cli, async (effects) => ({
    result: await performRun(plan, cli, effects),
  }));
  return code;
}

/** The options of a run that affect its display. */
export type ShownPlan = Omit<AgentRunPlan, "tools"> & Partial<Pick<AgentRunPlan, "tools">>;

/**
 * Shows a run while `perform` performs it. Resolves with the exit code, and with the result of `perform` unless the user interrupted it
 * before the run started. Rejects if the run cannot start.
 */
export async function showRun<T extends { readonly result: RunResult }>(
  plan: ShownPlan,
  form: OutputForm,
  cli: ProjectCli,
  perform: (effects: RunEffects) => Promise<T>,
): Promise<{ readonly code: number; readonly performed?: T }> {
  const interruption = new Interruption(cli);
  let performed: T;
  try {
    performed = await perform(createEffects(plan, form, interruption, cli));
  } catch (error) {
    const { interrupt } = interruption;
    if (interrupt && isStopped(error)) return { code: await reportInterrupt("The run was", interrupt, cli) };
    throw error;
  } finally {
    interruption.dispose();
  }
  return { code: await conclude(performed.result, { plan, form, interruption, cli }), performed };
}

function createEffects(plan: ShownPlan, form: OutputForm, { signal }: Interruption, cli: ProjectCli): RunEffects {
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
  readonly plan: ShownPlan;
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
  if (!plan.tools?.length) throw fault.error;
  printReason(await describeFault(fault.error, cli), cli);
  return interrupt ? exitCodes[interrupt] : exitCodes.otherwise;
}

/** Whether a run was stopped before it started, while it waited for another run of its session. */
function isStopped(error: unknown): boolean {
  return isBridleError(error) && error.code === "stopped";
}
