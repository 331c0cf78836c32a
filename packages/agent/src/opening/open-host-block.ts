import { type AgentBlockContext, ConfigError, type HostDefinition, type OpenedAgentBlock } from "@bridle/protocol";
import type { AgentSettings } from "../agent-settings.ts";
import type { AgentDefinition } from "../definition/agent-definition.ts";
import { findHostBlocks } from "../definition/host-block.ts";

/** Opens the block of the agent's host, if the file has it. Throws ConfigError if it has the block of another host. */
export async function openHostBlock(
  { config, baseDir, environment, sources }: AgentDefinition,
  { provider, models, projectDir }: AgentSettings,
  tools: Pick<AgentBlockContext, "tools" | "hasUnknownTools">,
): Promise<OpenedAgentBlock | undefined> {
  const blocks = findHostBlocks(config);
  const found = blocks.find(({ host }) => host.id !== provider.backend) ?? blocks[0];
  if (found === undefined) return undefined;
  const { key, value, block, host } = found;
  try {
    if (host.id !== provider.backend) throw otherHostError(key, host, provider.backend);
    const { open } = await block.load();
    return await open(value, {
      baseDir,
      projectDir,
      environment,
      model: models.default ?? "",
      ...tools,
      policyMode: config.policy?.mode,
    });
  } catch (error) {
    if (!(error instanceof ConfigError) || error.position || error.field === undefined) throw error;
    const position = sources.positions[error.field] ?? sources.positions[key];
    throw position ? new ConfigError(error.message, { position, field: error.field, cause: error }) : error;
  }
}

function otherHostError(key: string, { id, title }: HostDefinition, backend: string): ConfigError {
  const message = `The block ${key} is for ${title}, and this agent runs on ${backend}. Remove it, or choose the provider ${id}.`;
  return new ConfigError(message, { field: key });
}
