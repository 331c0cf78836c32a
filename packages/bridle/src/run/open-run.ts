import type { CreateRuntimeOptions } from "@bridle/project";
import type { AgentRuntime, SendOptions, SessionRequest } from "@bridle/protocol";
import type { Cli } from "../cli/cli.ts";
import { saySentence } from "../report/say-sentence.ts";
import { loadingIn } from "../tools-file/load-tools.ts";
import type { RunPlan } from "./plan.ts";

/** A runtime, and what every run on it has. */
export interface OpenedRun {
  readonly runtime: AgentRuntime;
  readonly request: SessionRequest;
  readonly limits: Pick<SendOptions, "timeoutMs">;
  close(): Promise<void>;
}

const defaultSteps = 20;

/** Makes the runtime of a plan: that of its agent, where it has one. What the command line says stands over both. */
export async function openRun(plan: RunPlan, options: CreateRuntimeOptions, cli: Cli): Promise<OpenedRun> {
  const given = pick(plan, ["system", "role", "model"]);
  const steps = plan.steps === undefined ? {} : { stepBudget: plan.steps };
  const limits = plan.timeout === undefined ? {} : { timeoutMs: plan.timeout * 1000 };
  if (plan.agent === undefined) {
    const runtime = await cli.createRuntime(options);
    const request = { stepBudget: defaultSteps, ...given, ...steps, tools: plan.tools };
    return { runtime, request, limits, close: () => runtime.close() };
  }
  const { openAgent } = await import("@bridle/agent");
  const create = (own: CreateRuntimeOptions = {}) => cli.createRuntime(own);
  const agent = await openAgent(plan.agent, { ...options, createRuntime: create, loading: loadingIn(cli) });
  for (const warning of agent.warnings) saySentence(`Warning: ${warning}`, cli.stderr);
  const request = { ...agent.request, ...given, ...steps };
  return { runtime: agent.runtime, request, limits: { ...agent.limits, ...limits }, close: () => agent.close() };
}

/** Some fields of an object; those that it does not have stay missing. */
export function pick<T extends object, K extends keyof T>(object: T, keys: readonly K[]): Pick<T, K> {
  return Object.fromEntries(keys.filter((key) => key in object).map((key) => [key, object[key]])) as Pick<T, K>;
}
