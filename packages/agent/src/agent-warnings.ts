import { formatPosition, type SourcePosition } from "@bridle/core";
import { backendOf } from "./agent-model.ts";
import type { AgentConfig } from "./config/schema.ts";
import type { TypedSecret } from "./config/typed-secrets.ts";

type Positions = Readonly<Record<string, SourcePosition>>;

/** What will be otherwise than the file says, and what should not stand in it, in sentences with their place. */
export function warningsOf(config: AgentConfig, positions: Positions, typed: readonly TypedSecret[]): string[] {
  const place = (field: string) => (positions[field] ? `${formatPosition(positions[field])}: ` : "");
  const open = typed.map(
    ({ field }) =>
      `${place(field)}${field} is a credential in the file itself. Put it into the environment, and write \${NAME}.`,
  );
  const { model } = config;
  if (model === undefined || backendOf(model).backend !== "claude-code") return open;
  const ignored = (["temperature", "top_p"] as const)
    .filter((key) => model[key] !== undefined)
    .map((key) => {
      const field = `model.${key}`;
      return `${place(field)}${field} has no effect: Claude Code has no such setting. Remove it, or choose a model API.`;
    });
  return [...open, ...ignored];
}
