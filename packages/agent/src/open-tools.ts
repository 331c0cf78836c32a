import { type AnyTool, ConfigError, type Logger } from "@bridle/core";
import type { AgentDefinition } from "./agent-definition.ts";
import type { OpenedTools } from "./opened-tools.ts";

export interface AgentTools {
  readonly tools: readonly AnyTool[];
  readonly instructions: readonly string[];
  close(): Promise<void>;
}

/** Opens the tools of every entry, in the order of the file. Throws ConfigError, and then leaves nothing open. */
export async function openTools(definition: AgentDefinition, _logger: Logger): Promise<AgentTools> {
  const opened: OpenedTools[] = [];
  for (const { type, name } of definition.config.tools ?? []) {
    throw new ConfigError(`The tool ${name} is of the type ${type}, which cannot be opened yet.`);
  }
  return {
    tools: opened.flatMap(({ tools }) => tools),
    instructions: opened.flatMap(({ instructions }) => instructions ?? []),
    close: async () => void (await Promise.all(opened.map((each) => each.close()))),
  };
}
