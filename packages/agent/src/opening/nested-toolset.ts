import { loadHost } from "@bridle/project";
import { InvalidRequestError } from "@bridle/protocol";
import { type AgentProjectOptions, findAgentProject } from "../agent-settings.ts";
import { agentPolicy } from "../definition/agent-policy.ts";
import type { NestedAgent } from "../delegation/agent-services.ts";
import type { AgentChain } from "../delegation/nested-files.ts";
import { readWhole } from "../trust/read-outside.ts";
import { openParts } from "./open-parts.ts";
import type { NestingOptions } from "./tool-context.ts";

/** Opens the tools of a nested agent without its model, to determine its annotations as a tool. The agent cannot be called. */
export async function openNestedToolset(
  chain: AgentChain,
  selection: AgentProjectOptions,
  options: NestingOptions,
): Promise<NestedAgent> {
  const project = await findAgentProject(chain.definition, selection);
  const definition = await readWhole(chain.definition, project);
  const openNested = (next: AgentChain) => openNestedToolset(next, selection, options);
  const { tools: _own, ...shared } = options;
  const { tools, hostBlock, settings, close } = await openParts(definition, project, { ...shared, chain, openNested });
  const policy = agentPolicy(definition, { hostBlock, isRuled: settings.policy !== undefined });
  const features = (await loadHost(settings.provider)).features(settings.provider, settings);
  return {
    name: definition.config.name,
    definition,
    tools,
    close,
    runtime: { capabilities: { features } },
    request: { builtins: hostBlock?.builtins, policy },
    limits: {},
    openSession: async () => {
      throw new InvalidRequestError(`The agent ${definition.config.name} is not open, so it cannot be called.`);
    },
  };
}
