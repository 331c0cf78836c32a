import { resolve } from "node:path";
import type { CreateRuntimeOptions } from "@bridle/project";
import { type EventLog, isBridleError, type RunEvent, type RunResult } from "@bridle/protocol";
import { createTerminalApprover } from "../approval/terminal-approver.ts";
import { createWaitingApprover } from "../approval/waiting-approver.ts";
import type { Cli } from "../cli/cli.ts";
import { exitCodeOfResult, exitCodes } from "../cli/exit-codes.ts";
import { whereabouts } from "../cli/project-flag.ts";
import { explainFault } from "../tools-file/explain-fault.ts";
import { runInSession, sayHowToGoOn } from "./in-session.ts";
import { type Interruption, sayInterrupted, watchInterruptions } from "./interruption.ts";
import { createStderrLogger } from "./logger.ts";
import { type OpenedRun, openRun, pick } from "./open-run.ts";
import { isObject, type RunPlan } from "./plan.ts";
import { refuseSchema } from "./schema-file.ts";
import { reasonOf, sayReason, showResult, viewOf } from "./view.ts";

/** What else is told of a run while it goes on. */
export interface Witness {
  readonly record: EventLog;
  onEvent(event: RunEvent): void;
}

/** Runs to the end, shows what happens, and resolves with the exit code. Rejects when the run could not begin. */
export async function performRun(plan: RunPlan, cli: Cli, witness?: Witness): Promise<number> {
  const interruption = watchInterruptions(cli);
  const show = viewOf(plan.form, isObject(plan), cli);
  let result: RunResult | undefined;
  const onEvent = (event: RunEvent) => {
    if (event.type === "run.finished") result = event.result;
    witness?.onEvent(event);
    show(event);
  };
  try {
    const options = { ...runtimeOptions(plan, cli), ...recordOf(plan, witness), onEvent };
    const opened = await openRun(plan, options, cli);
    try {
      await operate(opened, plan, interruption, cli);
    } catch (error) {
      const { interrupt } = interruption;
      if (result === undefined && interrupt && isStopped(error)) return sayInterrupted("The run was", interrupt, cli);
      if (result === undefined) throw plan.schema ? refuseSchema(plan.schema.file, error) : error;
      // else the result holds it
    } finally {
      await opened.close();
    }
  } finally {
    interruption.dispose();
  }
  if (result === undefined) throw new Error("The run had no end.");
  return conclude(result, plan, cli, interruption);
}

async function conclude(
  result: RunResult,
  plan: RunPlan,
  cli: Cli,
  { fault, interrupt }: Interruption,
): Promise<number> {
  showResult(result, plan, cli);
  if (fault === undefined) {
    sayReason(reasonOf(result), cli);
    sayHowToGoOn(plan, cli);
    return exitCodeOfResult(result, interrupt);
  }
  if (plan.tools.length === 0) throw fault.error;
  const { createRedactor } = await import("@bridle/core");
  sayReason(createRedactor({ environment: cli.environment }).text(explainFault(fault.error, cli)), cli);
  return interrupt ? exitCodes[interrupt] : exitCodes.otherwise;
}

/** What another command writes is its own; else the project keeps it, unless nothing is to be kept. */
function recordOf({ ephemeral = false }: RunPlan, witness: Witness | undefined): Pick<CreateRuntimeOptions, "record"> {
  if (witness) return { record: witness.record };
  return ephemeral ? {} : { record: "project" };
}

function runtimeOptions(plan: RunPlan, cli: Cli): CreateRuntimeOptions {
  const given = pick(plan, ["backend", "auth", "rehearse", "mode"]);
  const { onUsageLimit, maxWait } = plan;
  const limits = {
    ...(onUsageLimit !== undefined && { onUsageLimit }),
    ...(maxWait !== undefined && { maxWaitMs: maxWait * 1000 }),
  };
  const unattended = !cli.stdout.isTTY;
  const { stderr } = cli;
  return {
    ...{ ...given, ...whereabouts(plan, cli), limits, unattended, logger: createStderrLogger(stderr) },
    ...(plan.policy !== undefined && { policyFile: resolve(cli.cwd, plan.policy) }),
    ...approveOf(plan, cli),
  };
}

/** Who answers: whoever sits at the terminal, another process, or both; without any, nobody can be asked. */
function approveOf({ approvals, ...where }: RunPlan, cli: Cli): Pick<CreateRuntimeOptions, "approve"> {
  const { environment, stderr, readLine } = cli;
  if (approvals === "deny") return {};
  if (readLine) return { approve: createTerminalApprover({ stderr, readLine, environment }) };
  return approvals === "wait" ? { approve: createWaitingApprover({ stderr, environment, where }) } : {};
}

/** Before the run had begun: it waited for another one of its session. */
function isStopped(error: unknown): boolean {
  return isBridleError(error) && error.code === "stopped";
}

async function operate(opened: OpenedRun, plan: RunPlan, { signal }: Interruption, cli: Cli): Promise<void> {
  const { runtime, request, limits } = opened;
  const { sessionId, schema, prompt } = plan;
  const once = { prompt, signal, ...limits };
  if (sessionId !== undefined) await runInSession(runtime, { ...request, id: sessionId }, once, plan, cli);
  else if (schema) {
    const asked = pick(request, ["system", "role", "model"]);
    await runtime.generateObject({ ...asked, ...once, schema: schema.schema });
  } else await runtime.runAgentLoop({ ...request, ...once }).result;
}
