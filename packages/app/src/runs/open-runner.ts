import type { AgentDefinition } from "@bridle/agent";
import { type CreateRuntimeOptions, type Models, openProject } from "@bridle/project";
import { InvalidRequestError, omitUndefined, type Policy, type SessionRequest } from "@bridle/protocol";
import type { ProjectContext } from "../context/project-context.ts";
import { moduleOptions } from "../modules/load-tools.ts";
import type { AgentPlan } from "./agent-plan.ts";
import type { AgentRunner } from "./agent-runner.ts";
import { policyFile, type RunnerEffects, runtimeOptions } from "./runtime-options.ts";

const defaultSteps = 20;

/** Opens the agent of a plan, or the project's model. The plan's options override the agent file. Throws ConfigError. */
export function openRunner(plan: AgentPlan, context: ProjectContext, effects: RunnerEffects): Promise<AgentRunner> {
  return plan.agent === undefined
    ? openModel(plan, context, effects)
    : openPlannedAgent(plan.agent, plan, context, effects);
}

async function openModel(plan: AgentPlan, context: ProjectContext, effects: RunnerEffects): Promise<AgentRunner> {
  const options = runtimeOptions(plan, context, effects);
  const runtime = await context.createRuntime(options);
  const request: SessionRequest = { stepBudget: defaultSteps, ...givenRequest(plan), tools: plan.tools };
  return {
    runtime,
    request,
    kinds: {},
    warnings: questionWarnings(plan, context),
    limits: givenLimits(plan),
    policies: () => projectPolicies(plan, context),
    models: (signal) => listModels(options, signal),
    close: () => runtime.close(),
  };
}

/** Omits the warnings about questions for users who chose a mode or a rules file, because they know which questions will be asked. */
function questionWarnings({ mode, policy }: AgentPlan, { project }: ProjectContext): readonly string[] {
  return mode === undefined && policy === undefined ? project.skippedQuestions : [];
}

async function openPlannedAgent(
  definition: AgentDefinition,
  plan: AgentPlan,
  context: ProjectContext,
  effects: RunnerEffects,
): Promise<AgentRunner> {
  const { openAgent } = await import("@bridle/agent");
  let options: CreateRuntimeOptions | undefined;
  const createRuntime = (given: CreateRuntimeOptions = {}) => {
    options ??= given; // created with the agent's own provider; the runtimes of agents that it calls come later
    return context.createRuntime(given);
  };
  const agent = await openAgent(definition, {
    ...runtimeOptions(plan, context, effects),
    createRuntime,
    loading: moduleOptions(context),
  });
  const request: SessionRequest = { ...agent.request, ...givenRequest(plan) };
  const kinds = agent.entries.flatMap(({ kind, tools }) => tools.map(({ name }) => [name, kind] as const));
  return {
    runtime: agent.runtime,
    request,
    agent: agent.name,
    warnings: agent.warnings,
    limits: { ...agent.limits, ...givenLimits(plan) },
    kinds: Object.fromEntries(kinds),
    policies: async () => [...(request.policy ? [request.policy] : []), ...(await projectPolicies(plan, context))],
    models: (signal) => listModels(options ?? {}, signal),
    close: () => agent.close(),
  };
}

/** Lists the host's models. Throws a BridleError. */
async function listModels(options: CreateRuntimeOptions, signal: AbortSignal): Promise<Models> {
  if (options.rehearse === undefined) return (await openProject(options)).models({ signal });
  throw new InvalidRequestError("A rehearsal asks no host for its models, because it sends nothing. Name any model.");
}

/** Returns the parts of the request that the plan sets. */
function givenRequest({ system, role, model, steps }: AgentPlan): Partial<SessionRequest> {
  return omitUndefined({ system, role, model, stepBudget: steps });
}

function givenLimits({ timeout }: AgentPlan): AgentRunner["limits"] {
  return timeout === undefined ? {} : { timeoutMs: timeout * 1000 };
}

async function projectPolicies(plan: AgentPlan, { project, cwd }: ProjectContext): Promise<readonly Policy[]> {
  const { backend, mode } = plan;
  const policy = await project
    .with({ backend })
    .policy({ mode, agent: plan.agent?.config.name, ...policyFile(plan, { cwd }) }, cwd);
  return policy ? [policy] : [];
}
