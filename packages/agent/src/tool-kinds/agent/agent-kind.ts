import { hasAgents } from "../../delegation/agent-services.ts";
import type { CallingKind } from "../../delegation/calling-kind.ts";
import { agentToolConfig } from "./agent-config.ts";

export const agentKind: CallingKind<typeof agentToolConfig> = {
  type: "agent",
  summary: "Another agent, with its own model, tools and rules.",
  schema: agentToolConfig,
  example: { type: "agent", name: "researcher", file: "researcher.yaml" },
  files: [{ path: ["file"], isBehaviour: true }],
  describe: ({ file }) => `the agent ${file}`,
  origin: ({ type, file }) => ({ type, file }),
  effects: ({ file }) => [{ kind: "runs", subject: `the agent ${file}` }],
  names: ({ name }) => [name],
  nestedNames: async ({ file }, { services }) => (hasAgents(services) ? services.reachableNames(file) : undefined),
  async check({ file }, { services }) {
    if (hasAgents(services)) await services.checkAgent(file);
  },
  async open(config, context) {
    const { openAgentEntry } = await import("./open-agent-entry.ts");
    return openAgentEntry(config, context);
  },
};
