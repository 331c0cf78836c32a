import { shownAddress, shownPairs, shownWord } from "@bridle/project";
import type { EffectSummary } from "@bridle/protocol";
import type { McpToolConfig } from "./mcp-config.ts";

/** Returns the effect of a server: running a program, or sending calls to an address. */
export function serverEffects(config: McpToolConfig): EffectSummary[] {
  const { transport, command = "", args = [], env, env_file: envFile, config: settings, url = "" } = config;
  if (transport === "stdio" && command !== "") {
    const variables = shownPairs("variables", env, settings && [`MCP_CONFIG=${JSON.stringify(settings)}`]);
    const more = envFile === undefined ? "" : `, with the variables of ${envFile}`;
    return [{ kind: "runs", subject: `${[command, ...args].map(shownWord).join(" ")}${variables}${more}` }];
  }
  const subject = `calls to ${shownAddress(url)}${shownPairs("headers", config.headers)}`;
  return [{ kind: "sends", subject }];
}
