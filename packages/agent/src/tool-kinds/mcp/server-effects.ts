import { shownAddress } from "@bridle/project";
import type { EffectSummary } from "@bridle/protocol";
import type { McpToolConfig } from "./mcp-config.ts";

/** The process of a server, or the connection to it. Values of variables and headers are left out. */
export function serverEffects(config: McpToolConfig): EffectSummary[] {
  const { transport, command = "", args = [], env = {}, env_file: envFile, url = "", headers = {} } = config;
  if (transport !== "stdio" || command !== "") {
    const names = Object.keys(env);
    const variables = names.length === 0 ? "" : `, with the variables ${names.join(", ")}`;
    const more = envFile === undefined ? "" : `, with the variables of ${envFile}`;
    if (command !== "")
      return [{ kind: "runs", subject: `${[command, ...args].map(word).join(" ")}${variables}${more}` }];
  }
  const names = Object.keys(headers);
  return [
    {
      kind: "sends",
      subject: `calls to ${shownAddress(url)}${names.length === 0 ? "" : `, with the headers ${names.join(", ")}`}`,
    },
  ];
}

/** An argument in quotes if it would not be one word without them. */
function word(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : JSON.stringify(text);
}
