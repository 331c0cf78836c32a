import {
  type Approver,
  type Backend,
  BudgetExceededError,
  defaultNestedDepth,
  InvalidRequestError,
  omitUndefined,
  type Policy,
  UnsupportedFeatureError,
} from "@bridle/protocol";
import { restrictPolicy } from "../../policy/restrict-policy.ts";
import type { RunPlan } from "../run-plan.ts";
import type { CallingRun } from "./calling-run.ts";

/** The services that a nested run takes from its caller. */
interface Inherited {
  readonly backend: Backend;
  readonly policy: Policy;
  readonly approver?: Approver | undefined;
  readonly approvalTimeoutMs: number;
}

/**
 * Returns the plan and the services of a run that a caller's tool starts, with no more rights than the caller has. Throws if the run must
 * not start: InvalidRequestError for too many levels and for a real model in a rehearsal, BudgetExceededError if nothing is left,
 * UnsupportedFeatureError if the host cannot keep to the caller's cost budget.
 */
export function inheritFrom<T, S extends Inherited>(
  plan: RunPlan<T>,
  services: S,
  caller: CallingRun,
): { readonly plan: RunPlan<T>; readonly services: S } {
  const { approver, approvalTimeoutMs } = caller;
  requireDepth(caller);
  requireRehearsal(services.backend, caller);
  const { approve: _asksOthers, ...rest } = plan;
  return {
    plan: { ...rest, spec: limitSpec(plan.spec, services.backend, caller) },
    services: { ...services, policy: restrictPolicy(services.policy, caller), approver, approvalTimeoutMs },
  };
}

/** Returns how many levels of runs may start below a run. */
export function depthBelow({ maxDepth }: Pick<RunPlan, "maxDepth">, caller: CallingRun | undefined): number {
  if (caller === undefined) return maxDepth ?? defaultNestedDepth;
  return Math.min(maxDepth ?? Number.POSITIVE_INFINITY, caller.depthLeft - 1);
}

function requireDepth({ id, depthLeft }: CallingRun): void {
  if (depthLeft > 0) return;
  throw new InvalidRequestError(
    `The run ${id} must not start another run: it has reached the limit of levels. Let its model do the task itself, or raise maxDepth (execution.max_depth in an agent file).`,
  );
}

function requireRehearsal({ rehearsed }: Backend, { isRehearsed }: CallingRun): void {
  if (!isRehearsed || rehearsed) return;
  throw new InvalidRequestError(
    "A script plays the model of the run that calls this agent, so no real model may answer it. Open the agent with a script too (rehearse).",
  );
}

function limitSpec(spec: RunPlan["spec"], { id, features }: Backend, { spending }: CallingRun): RunPlan["spec"] {
  const { steps, usd } = spending.allowance();
  if (steps <= 0 || spending.hasSpent()) {
    throw new BudgetExceededError(
      "The budget of the run that calls this agent is used up. Answer with the information you have.",
    );
  }
  const isLimited = usd < Number.POSITIVE_INFINITY;
  if (isLimited && !features.costBudget) {
    const remedy = "The run that calls it has one. Use maxTotalTokens there, or another host here.";
    throw new UnsupportedFeatureError(id, "cost budget", remedy);
  }
  const maxCostUsd = isLimited ? Math.min(spec.maxCostUsd ?? usd, usd) : spec.maxCostUsd;
  return { ...spec, stepBudget: Math.min(spec.stepBudget, steps), ...omitUndefined({ maxCostUsd }) };
}
