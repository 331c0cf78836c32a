import { importOptional } from "@bridle/core";
import { shownPairs } from "@bridle/project";
import { ConfigError, type ToolKind } from "@bridle/protocol";
import { acpToolConfig } from "./acp-config.ts";

export const acpKind: ToolKind<typeof acpToolConfig> = {
  type: "acp",
  summary:
    "An agent of another program, which speaks the Agent Client Protocol. It has its own tools and its own model.",
  schema: acpToolConfig,
  example: { type: "acp", name: "coder", description: "Changes code.", command: "npx", args: ["some-acp-agent"] },
  secrets: { mappings: ["env"] },
  describe: ({ command, args = [] }) => [command, ...args].join(" "),
  origin: ({ type, command, args, env }) => ({ type, command, args, env }),
  effects: ({ command, args = [], env }) => [
    { kind: "runs", subject: `the agent ${[command, ...args].join(" ")}${shownPairs("variables", env)}` },
  ],
  async open(config, context) {
    const { openAcpTool } = await importOptional(
      ["@agentclientprotocol/sdk"],
      () => import("./open-acp-tool.ts"),
      (problem, cause) => new ConfigError(`The agent ${config.name} ${problem}`, { cause }),
    );
    return openAcpTool(config, context);
  },
};
