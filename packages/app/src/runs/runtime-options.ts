import { resolve } from "node:path";
import type { CreateRuntimeOptions } from "@bridle/project";
import type { Approver, EventLog, Logger, RunEvent } from "@bridle/protocol";
import type { ProjectContext } from "../context/project-context.ts";
import type { AgentPlan } from "./agent-plan.ts";

/** The effects of a runtime that the caller of a use case provides, such as the approver. */
export interface RunnerEffects {
  readonly logger: Logger;
  /** Answers questions about calls. If missing, `ask` denies. */
  readonly approve?: Approver | "event-log" | undefined;
  readonly onEvent?: ((event: RunEvent) => void) | undefined;
  /** The log for events. Default: `project`, the event log of the project on disk. `none` keeps events in memory. */
  readonly eventLog?: EventLog | "project" | "none" | undefined;
  /** Whether no user is present. Runs then wait until used-up usage windows reset. */
  readonly unattended: boolean;
}

/** Returns the options of the runtime for a plan. */
export function runtimeOptions(
  plan: Omit<AgentPlan, "tools">,
  context: Pick<ProjectContext, "cwd" | "project">,
  { logger, approve, onEvent, eventLog = "project", unattended }: RunnerEffects,
): CreateRuntimeOptions {
  const { backend, auth, rehearse, mode } = plan;
  return {
    project: context.project,
    backend,
    auth,
    rehearse,
    mode,
    limits: accountLimits(plan),
    logger,
    unattended,
    approve,
    onEvent,
    ...policyFile(plan, context),
    eventLog: eventLog === "none" ? undefined : eventLog,
  };
}

/** Decides what to do if a usage window is used up. `maxWait` is in seconds. */
export function accountLimits({
  onUsageLimit,
  maxWait,
}: Pick<AgentPlan, "onUsageLimit" | "maxWait">): NonNullable<CreateRuntimeOptions["limits"]> {
  return { onUsageLimit, maxWaitMs: maxWait === undefined ? undefined : maxWait * 1000 };
}

/** Returns the absolute path of the rules, if the plan names a file. */
export function policyFile(
  { policy }: Pick<AgentPlan, "policy">,
  { cwd }: Pick<ProjectContext, "cwd">,
): { readonly policyFile: string | undefined } {
  return { policyFile: policy === undefined ? undefined : resolve(cwd, policy) };
}
