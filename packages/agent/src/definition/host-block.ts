import { agentBlocks } from "@bridle/project";
import type { AgentBlock, HostDefinition } from "@bridle/protocol";
import type { AgentConfig } from "../config/schema.ts";

/** A block in an agent file that one host understands, with its checked value. */
export interface HostBlock {
  readonly key: string;
  readonly value: unknown;
  readonly block: AgentBlock;
  readonly host: HostDefinition;
}

/** Finds the blocks in the file. Blocks for hosts other than the agent's are errors when the agent is opened. */
export function findHostBlocks(config: AgentConfig): HostBlock[] {
  return agentBlocks().flatMap(({ block, host }) => {
    const value: unknown = Reflect.get(config, block.key);
    return value === undefined ? [] : [{ key: block.key, value, block, host }];
  });
}

/** Whether a block affects which tool calls may run. */
export function decidesCalls(config: AgentConfig): boolean {
  return findHostBlocks(config).some(({ block, value }) => block.decidesCalls(value));
}
