import { shownAddress, shownPair, shownWord } from "@bridle/project";
import type { EffectSummary } from "@bridle/protocol";
import type { McpToolConfig } from "./mcp-config.ts";

/** The process of a server, or the connection to it. A literal variable can be code, so each is shown as the file has it. */
export function serverEffects(config: McpToolConfig): EffectSummary[] {
  const { transport, command = "", args = [], env = {}, env_file: envFile, config: settings, url = "" } = config;
  if (transport === "stdio" && command !== "") {
    const given = [
      ...Object.entries(env).map(([name, text]) => shownPair(name, text)),
      ...(settings === undefined ? [] : [`MCP_CONFIG=${JSON.stringify(settings)}`]),
    ];
    const variables = given.length === 0 ? "" : `, with the variables ${given.join(", ")}`;
    const more = envFile === undefined ? "" : `, with the variables of ${envFile}`;
    return [{ kind: "runs", subject: `${[command, ...args].map(shownWord).join(" ")}${variables}${more}` }];
  }
  const headers = Object.entries(config.headers ?? {}).map(([name, text]) => shownPair(name, text));
  const subject = `calls to ${shownAddress(url)}${headers.length === 0 ? "" : `, with the headers ${headers.join(", ")}`}`;
  return [{ kind: "sends", subject }];
}
