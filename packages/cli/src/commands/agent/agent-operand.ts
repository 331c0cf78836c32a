/** The agent's file, for commands that are about one. */
export const agentOperand = { name: "file", description: "the agent's file (default: agent.yaml)" };

export const defaultAgentFile = "agent.yaml";
