import { hostOf, type TypedSecret } from "@bridle/project";
import { formatPosition, type SourcePosition, type ToolKind } from "@bridle/protocol";
import { backendOf } from "../agent-model.ts";
import type { AgentConfig } from "../config/schema.ts";
import { findKind } from "../tool-kinds/find-kind.ts";

interface WarningParts {
  readonly positions: Readonly<Record<string, SourcePosition>>;
  readonly typed: readonly TypedSecret[];
  readonly kinds: readonly ToolKind[];
}

/** Sentences about credentials in the file and settings without effect, each with its position. */
export function agentWarnings(config: AgentConfig, { positions, typed, kinds }: WarningParts): string[] {
  const prefix = (field: string) => (positions[field] ? `${formatPosition(positions[field])}: ` : "");
  const credentials = typed.map(
    ({ path }) =>
      `${prefix(path)}${path} is a credential in the file itself. Put it into the environment, and write \${NAME}.`,
  );
  const idle = idleSettings(config, kinds).map(([field, why]) => `${prefix(field)}${field} has no effect: ${why}`);
  return [...credentials, ...idle];
}

type IdleSetting = readonly [field: string, why: string];

function idleSettings(config: AgentConfig, kinds: readonly ToolKind[]): IdleSetting[] {
  const { observability, embedding_provider: embeddings, tools = [] } = config;
  const isSwitchedOff = observability !== undefined && observability.enabled === undefined;
  const isUsed = tools.some((tool) => findKind(tool, kinds).needsEmbeddings?.(tool));
  const off = "enabled is missing. Write enabled: true, or remove the block.";
  const unused = "no documents are searched by meaning. Set search_mode: hybrid of a documents tool, or remove it.";
  return [
    ...(isSwitchedOff ? [["observability", off] as const] : []),
    ...(embeddings && !isUsed ? [["embedding_provider", unused] as const] : []),
    ...idleSampling(config),
  ];
}

function idleSampling({ model }: AgentConfig): IdleSetting[] {
  const host = model && hostOf(backendOf(model).backend);
  if (host === undefined || host.hasSampling) return [];
  const why = `${host.title} has no such setting. Remove it, or choose a model API.`;
  const keys = (["temperature", "top_p"] as const).filter((key) => model?.[key] !== undefined);
  return keys.map((key) => [`model.${key}`, why]);
}
