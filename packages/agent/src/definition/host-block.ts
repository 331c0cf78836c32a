import { agentBlocks } from "@bridle/project";
import type { AgentBlock, HostDefinition } from "@bridle/protocol";
import type { AgentConfig } from "../config/schema.ts";

/** A block of an agent's file that one host understands, with its checked value. */
export interface HostBlock {
  readonly key: string;
  readonly value: unknown;
  readonly block: AgentBlock;
  readonly host: HostDefinition;
}

/** The block that the file has; undefined if it has none. */
export function findHostBlock(config: AgentConfig): HostBlock | undefined {
  const blocks = agentBlocks().flatMap(({ block, host }) => {
    const value: unknown = Reflect.get(config, block.key);
    return value === undefined ? [] : [{ key: block.key, value, block, host }];
  });
  return blocks[0];
}

/** Whether the block decides which tool calls may run. */
export function decidesCalls(config: AgentConfig): boolean {
  const found = findHostBlock(config);
  return found ? found.block.decidesCalls(found.value) : false;
}
