import { formatPosition, type SourcePosition } from "@bridle/protocol";
import { backendOf } from "../agent-model.ts";
import type { AgentConfig } from "../config/schema.ts";
import { isDocuments, searchModeOf } from "../documents/documents-config.ts";
import type { TypedSecret } from "./typed-secrets.ts";

type Positions = Readonly<Record<string, SourcePosition>>;

/** What will be otherwise than the file says, and what should not stand in it, in sentences with their place. */
export function warningsOf(config: AgentConfig, positions: Positions, typed: readonly TypedSecret[]): string[] {
  const place = (field: string) => (positions[field] ? `${formatPosition(positions[field])}: ` : "");
  const open = typed.map(
    ({ field }) =>
      `${place(field)}${field} is a credential in the file itself. Put it into the environment, and write \${NAME}.`,
  );
  const idle = withoutEffect(config).map(([field, why]) => `${place(field)}${field} has no effect: ${why}`);
  return [...open, ...idle];
}

type Idle = readonly [field: string, why: string];

function withoutEffect(config: AgentConfig): Idle[] {
  const { observability: telemetry, embedding_provider: embeddings } = config;
  const isDormant = telemetry !== undefined && telemetry.enabled === undefined;
  const isAsked = config.tools?.some((tool) => isDocuments(tool) && searchModeOf(tool) !== "keyword");
  const off = "enabled is not there. Write enabled: true, or remove the block.";
  const unasked = "no documents are searched by meaning. Set search_mode: hybrid of a documents tool, or remove it.";
  return [
    ...(isDormant ? [["observability", off] as const] : []),
    ...(embeddings && !isAsked ? [["embedding_provider", unasked] as const] : []),
    ...samplingOf(config),
  ];
}

function samplingOf({ model }: AgentConfig): Idle[] {
  if (model === undefined || backendOf(model).backend !== "claude-code") return [];
  const why = "Claude Code has no such setting. Remove it, or choose a model API.";
  const keys = (["temperature", "top_p"] as const).filter((key) => model[key] !== undefined);
  return keys.map((key) => [`model.${key}`, why]);
}
