import { ConfigError, type ToolKindContext } from "@bridle/protocol";
import type { AgentDefinition } from "../definition/agent-definition.ts";
import { startsRuns } from "../delegation/calling-kind.ts";
import { findKind } from "../tool-kinds/find-kind.ts";
import type { ToolOptions } from "./tool-context.ts";

/** The names of an agent's tools, as far as the files alone determine them. */
export interface KnownToolNames {
  readonly tools: readonly string[];
  /** Whether there are more tools, such as those of a server. */
  readonly hasUnknownTools: boolean;
  /** The names of tools in runs that these tools start. */
  readonly nested: readonly string[];
  readonly hasUnknownNested: boolean;
}

/** Returns the entries of the file, with the names of their tools if the file determines them. */
export function namedEntries({ config, toolKinds }: AgentDefinition) {
  const entries = (config.tools ?? []).map((tool, index) => ({
    field: `tools.${index}`,
    names: findKind(tool, toolKinds).names?.(tool),
  }));
  return config.skills === undefined ? entries : [...entries, { field: "skills", names: ["load_skill"] }];
}

/** Returns the names of an agent's tools, as far as its files determine them. `own` contains the program's own tools. */
export async function knownToolNames(
  definition: AgentDefinition,
  context: ToolKindContext,
  own: ToolOptions["tools"] = [],
): Promise<KnownToolNames> {
  const entries = namedEntries(definition);
  const nested = await Promise.all(
    (definition.config.tools ?? []).map((tool) => nestedNames(tool, definition, context)),
  );
  return {
    tools: [...entries.flatMap(({ names = [] }) => names), ...own.map(({ name }) => name)],
    hasUnknownTools: entries.some(({ names }) => names === undefined),
    nested: [...nested.flatMap((names = []) => names), ...own.flatMap(({ nestedTools = [] }) => nestedTools)],
    hasUnknownNested: nested.includes(undefined),
  };
}

/** Returns the names of the tools in nested runs. Undefined for a file that cannot be used, because the check of its entry reports it. */
async function nestedNames(
  tool: NonNullable<AgentDefinition["config"]["tools"]>[number],
  { toolKinds }: AgentDefinition,
  context: ToolKindContext,
): Promise<readonly string[] | undefined> {
  const kind = findKind(tool, toolKinds);
  if (!startsRuns(kind)) return [];
  try {
    return await kind.nestedNames(tool, context);
  } catch (error) {
    if (error instanceof ConfigError) return undefined;
    throw error;
  }
}
