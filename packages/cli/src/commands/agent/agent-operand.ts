/** The agent file operand of commands about one agent. */
export const agentOperand = { name: "file", description: "the agent file (default: agent.yaml)" };
