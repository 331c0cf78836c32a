import { resolve } from "node:path";
import { type CreateRuntimeOptions, describeAvailableModels, resolvePolicy, resolveSettings } from "@bridle/project";
import type { Approver, Logger, Policy, SessionRequest } from "@bridle/protocol";
import { loadAgentFile } from "../agent/load-agent-file.ts";
import type { Cli } from "../cli/cli.ts";
import { whereabouts } from "../cli/project-flag.ts";
import { loadingIn } from "../tools-file/load-tools.ts";
import type { ChatHost } from "./chat-host.ts";
import type { ChatPlan } from "./chat-plan.ts";

const defaultSteps = 20;

export interface HostParts {
  readonly logger: Logger;
  /** Who answers questions about calls; without one, `ask` is `deny`. */
  readonly approve?: Approver | "record";
}

/** Opens what the chat talks to. Throws ConfigError and UsageError. */
export function openHost(plan: ChatPlan, cli: Cli, parts: HostParts): Promise<ChatHost> {
  return plan.agent === undefined ? openModel(plan, cli, parts) : openAgentHost(plan.agent, plan, cli, parts);
}

async function openModel(plan: ChatPlan, cli: Cli, parts: HostParts): Promise<ChatHost> {
  const options = runtimeOptions(plan, cli, parts);
  const runtime = await cli.createRuntime(options);
  const request: SessionRequest = { ...shared(plan), tools: plan.tools, stepBudget: plan.steps ?? defaultSteps };
  return {
    ...{ runtime, request, kinds: {}, warnings: [], limits: timeoutOf(plan) },
    policies: () => projectPolicies(plan, cli),
    models: (signal) => describeAvailableModels({ ...options, signal }, cli.cwd),
    close: () => runtime.close(),
  };
}

async function openAgentHost(file: string, plan: ChatPlan, cli: Cli, parts: HostParts): Promise<ChatHost> {
  const { openAgent } = await import("@bridle/agent");
  const definition = await loadAgentFile(file, cli);
  let options: CreateRuntimeOptions = {};
  const createRuntime = (given: CreateRuntimeOptions = {}) => {
    options = given; // with the agent's own provider
    return cli.createRuntime(given);
  };
  const agent = await openAgent(definition, {
    ...runtimeOptions(plan, cli, parts),
    ...{ createRuntime, loading: loadingIn(cli) },
  });
  const request: SessionRequest = { ...agent.request, ...shared(plan), ...(plan.steps && { stepBudget: plan.steps }) };
  const kinds = agent.entries.flatMap(({ kind, tools }) => tools.map(({ name }) => [name, kind] as const));
  return {
    ...{ runtime: agent.runtime, request, agent: agent.name, warnings: agent.warnings },
    limits: { ...agent.limits, ...timeoutOf(plan) },
    kinds: Object.fromEntries(kinds),
    policies: async () => [...(request.policy ? [request.policy] : []), ...(await projectPolicies(plan, cli))],
    models: (signal) => describeAvailableModels({ ...options, signal }, cli.cwd),
    close: () => agent.close(),
  };
}

function timeoutOf({ timeout }: ChatPlan): ChatHost["limits"] {
  return timeout === undefined ? {} : { timeoutMs: timeout * 1000 };
}

function shared({ system, role, model }: ChatPlan): Pick<SessionRequest, "system" | "role" | "model"> {
  return {
    ...(system !== undefined && { system }),
    ...(role !== undefined && { role }),
    ...(model !== undefined && { model }),
  };
}

function runtimeOptions(plan: ChatPlan, cli: Cli, { logger, approve }: HostParts): CreateRuntimeOptions {
  const { backend, auth, rehearse, mode, onUsageLimit, maxWait } = plan;
  return {
    ...whereabouts(plan, cli),
    ...{ record: "project", logger, unattended: !cli.stdout.isTTY },
    limits: {
      ...(onUsageLimit !== undefined && { onUsageLimit }),
      ...(maxWait !== undefined && { maxWaitMs: maxWait * 1000 }),
    },
    ...(backend !== undefined && { backend }),
    ...(auth !== undefined && { auth }),
    ...(rehearse !== undefined && { rehearse }),
    ...(mode !== undefined && { mode }),
    ...(approve !== undefined && { approve }),
    ...policyFileOf(plan, cli),
  };
}

function policyFileOf({ policy }: ChatPlan, { cwd }: Cli): Pick<CreateRuntimeOptions, "policyFile"> {
  return policy === undefined ? {} : { policyFile: resolve(cwd, policy) };
}

async function projectPolicies(plan: ChatPlan, cli: Cli): Promise<readonly Policy[]> {
  const { backend, mode } = plan;
  const settings = await resolveSettings({ ...whereabouts(plan, cli), ...(backend && { backend }) }, cli.cwd);
  const policy = await resolvePolicy(settings, { ...policyFileOf(plan, cli), ...(mode && { mode }) }, cli.cwd);
  return policy ? [policy] : [];
}
