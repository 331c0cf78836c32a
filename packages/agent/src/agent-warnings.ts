import { formatPosition, type SourcePosition } from "@bridle/core";
import { backendOf } from "./agent-model.ts";
import type { AgentConfig } from "./config/schema.ts";

/** What will be otherwise than the file says, in sentences with their place. */
export function warningsOf(config: AgentConfig, positions: Readonly<Record<string, SourcePosition>>): string[] {
  const { model } = config;
  if (model === undefined || backendOf(model).backend !== "claude-code") return [];
  return (["temperature", "top_p"] as const)
    .filter((key) => model[key] !== undefined)
    .map((key) => {
      const position = positions[`model.${key}`];
      const where = position ? `${formatPosition(position)}: ` : "";
      return `${where}model.${key} has no effect: Claude Code has no such setting. Remove it, or choose a model API.`;
    });
}
