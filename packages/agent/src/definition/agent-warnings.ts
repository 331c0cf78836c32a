import { hostOf, type TypedSecret } from "@bridle/project";
import { formatPosition, type SourcePosition, type ToolKind } from "@bridle/protocol";
import type { AgentConfig } from "../config/schema.ts";
import { isPython } from "../python/is-python.ts";
import { findKind } from "../tool-kinds/find-kind.ts";
import { functionToolConfig } from "../tool-kinds/function/function-config.ts";
import { backendOf } from "./agent-model.ts";
import { groundTruthWarnings } from "./ground-truth-warnings.ts";

interface WarningParts {
  readonly positions: Readonly<Record<string, SourcePosition>>;
  /** Settings that refer to the environment, as written in the file. */
  readonly written: Readonly<Record<string, string>>;
  readonly typed: readonly TypedSecret[];
  readonly kinds: readonly ToolKind[];
}

/**
 * Returns warnings about credentials in the file, settings without effect and ground truths that a metric cannot compare with, each with
 * its position.
 */
export function agentWarnings(config: AgentConfig, { positions, written, typed, kinds }: WarningParts): string[] {
  const prefix = (field: string) => (positions[field] ? `${formatPosition(positions[field])}: ` : "");
  const credentials = typed.map(
    ({ path }) =>
      `${prefix(path)}${path} is a credential in the file itself. Put it into the environment, and write \${NAME}.`,
  );
  const idle = idleSettings(config, kinds).map(([field, why]) => `${prefix(field)}${field} has no effect: ${why}`);
  const truths = groundTruthWarnings(config, written).map(({ field, message }) => `${prefix(field)}${message}`);
  const effects = unknownEffects(config).map(([field, why]) => `${prefix(field)}${field} ${why}`);
  return [...credentials, ...idle, ...effects, ...truths];
}

/**
 * Warns about Python functions with empty annotations, as an import writes them. The author must fill them in, because nothing else
 * declares them.
 */
function unknownEffects({ tools = [] }: AgentConfig): (readonly [field: string, why: string])[] {
  return tools.flatMap((tool, index) => {
    const { data } = functionToolConfig.safeParse(tool);
    if (data?.annotations === undefined || Object.keys(data.annotations).length > 0 || !isPython(data)) return [];
    const why = `is empty, so bridle test denies calls of ${data.name}: they may change something. Set read_only: true or destructive: false, or keep the denial with destructive: true.`;
    return [[`tools.${index}.annotations`, why]];
  });
}

type IdleSetting = readonly [field: string, why: string];

function idleSettings(config: AgentConfig, kinds: readonly ToolKind[]): IdleSetting[] {
  const { observability, embedding_provider: embeddings, tool_filtering: filtering, tools = [] } = config;
  const isSwitchedOff = observability !== undefined && observability.enabled === undefined;
  const isUsed = tools.some((tool) => findKind(tool, kinds).needsEmbeddings?.(tool));
  const unfiltered =
    "the model gets every tool of the file. List fewer tools, or choose some tools of a server with its key tools.";
  const off = "enabled is missing. Write enabled: true, or remove the block.";
  const unused = "no documents are searched by meaning. Set search_mode: hybrid of a documents tool, or remove it.";
  return [
    ...(filtering && filtering.enabled !== false ? [["tool_filtering", unfiltered] as const] : []),
    ...(isSwitchedOff ? [["observability", off] as const] : []),
    ...(embeddings && !isUsed ? [["embedding_provider", unused] as const] : []),
    ...idleSampling(config),
  ];
}

function idleSampling({ model }: AgentConfig): IdleSetting[] {
  const host = model && hostOf(backendOf(model).backend);
  if (host === undefined || host.hasSampling) return [];
  const why = `${host.title} does not support this setting. Remove it, or choose a model API.`;
  const keys = (["temperature", "top_p"] as const).filter((key) => model?.[key] !== undefined);
  return keys.map((key) => [`model.${key}`, why]);
}
