/** Shows the agent of a session as an option in the editor. */
import { RequestError, type SessionConfigOption } from "@agentclientprotocol/sdk";
import type { ServedAgents } from "@bridle/app/serving";

const agentOptionId = "agent";

/** Lists the agents as an option; empty if the project has only one agent. */
export function agentOptions(agents: Pick<ServedAgents, "list">, current: string): SessionConfigOption[] {
  const served = agents.list();
  if (served.length < 2) return [];
  const options = served.map(({ id, name, description }) => ({ value: id, name, description: description ?? null }));
  return [{ type: "select", id: agentOptionId, name: "Agent", category: "_agent", currentValue: current, options }];
}

/** Parses the selected agent. Throws RequestError if the option does not exist, and NotServedError if the agent does not exist. */
export function parseAgentOption(configId: string, value: unknown, agents: Pick<ServedAgents, "get">): string {
  if (configId !== agentOptionId || typeof value !== "string") {
    throw RequestError.invalidParams(undefined, `There is no option "${configId}" with this value.`);
  }
  return agents.get(value).id;
}
