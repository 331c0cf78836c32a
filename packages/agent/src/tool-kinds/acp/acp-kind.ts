import { importOptional } from "@bridle/core";
import { shownPairs } from "@bridle/project";
import { ConfigError } from "@bridle/protocol";
import type { CallingKind } from "../../delegation/calling-kind.ts";
import { acpActionName, acpActions, acpToolConfig } from "./acp-config.ts";

export const acpKind: CallingKind<typeof acpToolConfig> = {
  type: "acp",
  summary: "Another program's agent that supports the Agent Client Protocol, with its own tools and model.",
  schema: acpToolConfig,
  example: { type: "acp", name: "coder", description: "Changes code.", command: "npx", args: ["some-acp-agent"] },
  secrets: { mappings: ["env"] },
  describe: ({ command, args = [] }) => [command, ...args].join(" "),
  origin: ({ type, command, args, env }) => ({ type, command, args, env }),
  effects: ({ command, args = [], env }) => [
    { kind: "runs", subject: `the agent ${[command, ...args].join(" ")}${shownPairs("variables", env)}` },
  ],
  names: ({ name }) => [name],
  nestedNames: async (config) => acpActions.map((action) => acpActionName(config, action)),
  async open(config, context) {
    const { openAcpTool } = await importOptional(
      ["@agentclientprotocol/sdk"],
      () => import("./open-acp-tool.ts"),
      (problem, cause) => new ConfigError(`The agent ${config.name} ${problem}`, { cause }),
    );
    return openAcpTool(config, context);
  },
};
