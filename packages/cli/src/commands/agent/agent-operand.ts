/** The agent's file, for commands about one agent. */
export const agentOperand = { name: "file", description: "the agent's file (default: agent.yaml)" };
