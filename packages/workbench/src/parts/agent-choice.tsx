import type { ApiAgents } from "@bridle/client";
import { showHiddenInName } from "@bridle/protocol/text";
import { useId } from "react";

interface AgentChoiceProps {
  readonly agents: ApiAgents["agents"];
  /** The id of the selected agent. The agent may be missing in the list. */
  readonly chosen: string;
  onChoose(id: string): void;
}

/** Selects the agent of a page. */
export function AgentChoice({ agents, chosen, onChoose }: AgentChoiceProps) {
  const id = useId();
  const isListed = agents.some((agent) => agent.id === chosen);
  return (
    <div className="agent-choice">
      <label htmlFor={id}>Agent</label>
      <select id={id} value={chosen} onChange={({ target }) => onChoose(target.value)}>
        {!isListed && <option value={chosen}>{showHiddenInName(chosen)}</option>}
        {agents.map((agent) => (
          <option key={agent.id} value={agent.id}>
            {showHiddenInName(agent.name)}
          </option>
        ))}
      </select>
    </div>
  );
}
