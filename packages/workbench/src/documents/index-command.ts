import { shellWord } from "@bridle/protocol/text";

/** Returns the command that updates the indexes of an agent. */
export function indexCommand(agentFile: string): string {
  const words = agentFile === "agent.yaml" ? [] : [shellWord(agentFile)];
  return ["npx bridle documents index", ...words].join(" ");
}
