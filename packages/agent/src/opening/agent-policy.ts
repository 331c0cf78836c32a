import { createPolicy, type PolicyModeName } from "@bridle/core";
import type { FileProblem } from "@bridle/project";
import { ConfigError, type Policy } from "@bridle/protocol";
import type { ClaudeParts } from "../claude/open-claude.ts";
import type { AgentDefinition } from "../definition/agent-definition.ts";

type Ruled = Pick<AgentDefinition, "config" | "places">;

interface Over {
  /** As the caller wants it, over all. */
  readonly mode?: PolicyModeName | undefined;
  /** What the block `claude` says: its rules count after the file's own. */
  readonly claude?: Pick<ClaudeParts, "mode" | "rules" | "builtins"> | undefined;
  /** Whether the project has rules of its own. */
  readonly isRuled?: boolean;
}

/**
 * The rules of the agent's file, which decide over the project's. A host's own tools are asked for where they may do
 * harm, as in the mode `normal`, though neither file has a rule. Throws ConfigError.
 */
export function policyOf({ config, places }: Ruled, { mode, claude, isRuled = false }: Over = {}): Policy | undefined {
  const { rules = [], builtins = [] } = claude ?? {};
  const isGuarded = builtins.length > 0 && !isRuled;
  const chosen = mode ?? claude?.mode;
  if (config.policy === undefined && rules.length === 0 && claude?.mode === undefined && !isGuarded) return undefined;
  const positions = Object.entries(places.positions).flatMap(([path, position]) =>
    path.startsWith("policy.") ? [[path.slice("policy.".length), position] as const] : [],
  );
  return createPolicy({
    ...config.policy,
    rules: [...(config.policy?.rules ?? []), ...rules],
    ...(chosen && { mode: chosen }),
    positions: Object.fromEntries(positions),
  });
}

/** What makes them none, such as an expression that cannot be read. */
export function policyProblems(agent: Ruled): FileProblem[] {
  try {
    policyOf(agent);
    return [];
  } catch (error) {
    if (!(error instanceof ConfigError) || error.field === undefined) throw error;
    const { field, message } = error;
    const position = agent.places.positions[field] ?? agent.places.positions.policy;
    if (position === undefined) throw error;
    return [{ message, position, field }];
  }
}
