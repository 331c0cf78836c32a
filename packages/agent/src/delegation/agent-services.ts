import type { ToolServices } from "@bridle/protocol";
import type { CallableAgent } from "./callable-agent.ts";

/** An agent that an entry of `tools` names, opened for that entry alone. */
export interface NestedAgent extends CallableAgent {
  close(): Promise<void>;
}

/** The services of an agent that can use other agents as tools. */
export interface AgentServices extends ToolServices {
  /** Opens the agent in a file. Rejects with a ConfigError. */
  openAgent(file: string): Promise<NestedAgent>;
  /** Checks whether opening the agent would fail for a reason that its files show. Rejects with a ConfigError. */
  checkAgent(file: string): Promise<void>;
  /** Returns the names of all tools that the agent's runs can call; undefined if the files do not show them. Rejects with a ConfigError. */
  reachableNames(file: string): Promise<readonly string[] | undefined>;
}

export function hasAgents(services: ToolServices | undefined): services is AgentServices {
  return services !== undefined && "openAgent" in services && "reachableNames" in services;
}
