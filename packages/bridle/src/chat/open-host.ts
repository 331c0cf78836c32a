import { resolve } from "node:path";
import type { Approver, Logger, Policy, SessionRequest } from "@bridle/core";
import { type CreateRuntimeOptions, resolvePolicy, resolveSettings } from "@bridle/project";
import { loadAgentFile } from "../agent/load-agent-file.ts";
import type { Cli } from "../cli/cli.ts";
import { whereabouts } from "../cli/project-flag.ts";
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
  const { policy: file, tools } = plan;
  const policyFile = file === undefined ? {} : { policyFile: resolve(cli.cwd, file) };
  const runtime = await cli.createRuntime({ ...runtimeOptions(plan, cli, parts), ...policyFile });
  const request: SessionRequest = { ...shared(plan), tools, stepBudget: plan.steps ?? defaultSteps };
  return {
    ...{ runtime, request, kinds: {}, warnings: [] },
    policy: () => projectPolicy(plan, cli, policyFile),
    close: () => runtime.close(),
  };
}

async function openAgentHost(file: string, plan: ChatPlan, cli: Cli, parts: HostParts): Promise<ChatHost> {
  const { openAgent } = await import("@bridle/agent");
  const { environment: _own, ...options } = runtimeOptions(plan, cli, parts);
  const definition = await loadAgentFile(file, cli);
  const agent = await openAgent(definition, { ...options, createRuntime: (given = {}) => cli.createRuntime(given) });
  const request: SessionRequest = { ...agent.request, ...shared(plan), ...(plan.steps && { stepBudget: plan.steps }) };
  const kinds = (agent.definition.config.tools ?? []).map(({ name, type }) => [name, type] as const);
  return {
    ...{ runtime: agent.runtime, request, agent: agent.name, warnings: agent.warnings },
    kinds: Object.fromEntries(kinds),
    policy: async () => request.policy ?? projectPolicy(plan, cli, {}),
    close: () => agent.close(),
  };
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
  };
}

async function projectPolicy(plan: ChatPlan, cli: Cli, given: { policyFile?: string }): Promise<Policy | undefined> {
  const { backend, mode } = plan;
  const settings = await resolveSettings({ ...whereabouts(plan, cli), ...(backend && { backend }) }, cli.cwd);
  return resolvePolicy(settings, { ...given, ...(mode && { mode }) }, cli.cwd);
}
