import { importOptional } from "@bridle/core";
import { ConfigError, type ToolKind } from "@bridle/protocol";
import { checkServer, requireProgram } from "./check-server.ts";
import { mcpToolConfig } from "./mcp-config.ts";
import { serverEffects } from "./server-effects.ts";
import { readEnvFileSecrets } from "./server-environment.ts";

export const mcpKind: ToolKind<typeof mcpToolConfig> = {
  type: "mcp",
  summary: "A Model Context Protocol server, with all tools that it lists.",
  schema: mcpToolConfig,
  example: { type: "mcp", name: "files", command: "npx", args: ["-y", "@modelcontextprotocol/server-filesystem", "."] },
  files: [{ path: ["env_file"] }],
  secrets: { mappings: ["env", "headers"] },
  describe: ({ name, transport, command }) => `server ${name}, ${transport}${command ? `: ${command}` : ""}`,
  origin: ({ type, transport, command, args, env, config, url }) => ({
    type,
    transport,
    command,
    args,
    env,
    config,
    url,
  }),
  retrieval: ({ is_retrieval: isRetrieval }) => (isRetrieval ? "text" : undefined),
  readSecretFiles: readEnvFileSecrets,
  effects: serverEffects,
  async check(config, context) {
    checkServer(config, context);
    await requireProgram(config, context);
  },
  async open(config, context) {
    const { openMcpServer } = await importOptional(
      ["@modelcontextprotocol/client"],
      () => import("./open-mcp-server.ts"),
      (problem, cause) => new ConfigError(`The MCP server ${config.name} ${problem}`, { cause }),
    );
    return openMcpServer(config, context);
  },
};
