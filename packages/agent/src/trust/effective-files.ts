/** Lists all files that a user trusts with an agent. */
import type { EffectiveFile } from "@bridle/protocol";
import type { AgentDefinition } from "../definition/agent-definition.ts";
import { type AgentChain, beginChain, loadNested } from "../delegation/nested-files.ts";
import { FolderView } from "../modules/folder-view.ts";
import { agentToolConfig } from "../tool-kinds/agent/agent-config.ts";
import { effectiveFile, type Surroundings } from "./list-agent-effects.ts";

/**
 * Lists the agent file and the files of the agents that it can call, at every level, each once, with their effects. The user is asked about
 * all of them together. A nested file that cannot be used has no effect: opening it fails with the reason.
 */
export async function effectiveFiles(definition: AgentDefinition, project: Surroundings): Promise<EffectiveFile[]> {
  const found = new Map<string, AgentDefinition>();
  await collect(beginChain(definition), found);
  const view = new FolderView();
  return [...found.values()].map((each) => effectiveFile(each, project, view));
}

/**
 * Lists the files that have to be trusted before an agent is opened. The files of a nested agent were checked together with the outermost
 * agent, so only its own file is checked again, because it may have changed since then.
 */
export async function filesToTrust(
  definition: AgentDefinition,
  project: Surroundings,
  { chain }: { readonly chain?: AgentChain | undefined },
): Promise<EffectiveFile[]> {
  return chain === undefined ? effectiveFiles(definition, project) : [effectiveFile(definition, project)];
}

async function collect(chain: AgentChain, found: Map<string, AgentDefinition>): Promise<void> {
  const { definition } = chain;
  if (found.has(definition.path)) return;
  found.set(definition.path, definition);
  for (const tool of definition.config.tools ?? []) {
    const { data } = agentToolConfig.safeParse(tool);
    const nested = data && (await loadNested(chain, data.file).catch(() => undefined));
    if (nested) await collect(nested, found);
  }
}
