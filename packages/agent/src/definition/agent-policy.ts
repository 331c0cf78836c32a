import { createPolicy, type PolicyModeName } from "@bridle/core";
import type { FileProblem } from "@bridle/project";
import { ConfigError, type OpenedAgentBlock, type Policy } from "@bridle/protocol";
import type { AgentDefinition } from "./agent-definition.ts";

type Ruled = Pick<AgentDefinition, "config" | "sources">;

interface PolicyOverrides {
  /** The caller's mode, which overrides the modes in the files. */
  readonly mode?: PolicyModeName | undefined;
  /** The opened block of the host, such as `claude`. Its rules come after those of the file. */
  readonly hostBlock?: Pick<OpenedAgentBlock, "mode" | "rules" | "builtins"> | undefined;
  /** Whether the project has rules. */
  readonly isRuled?: boolean | undefined;
}

/**
 * Returns the policy in the agent file. It takes precedence over the project's policy. If neither file has rules, the host's own tools
 * still need approval, as in the mode `normal`. Throws ConfigError.
 */
export function agentPolicy(
  { config, sources }: Ruled,
  { mode, hostBlock, isRuled = false }: PolicyOverrides = {},
): Policy | undefined {
  const { rules = [], builtins = [] } = hostBlock ?? {};
  const isGuarded = builtins.length > 0 && !isRuled;
  const chosen = mode ?? hostBlock?.mode;
  if (config.policy === undefined && rules.length === 0 && hostBlock?.mode === undefined && !isGuarded)
    return undefined;
  const positions = Object.entries(sources.positions).flatMap(([path, position]) =>
    path.startsWith("policy.") ? [[path.slice("policy.".length), position] as const] : [],
  );
  return createPolicy({
    ...config.policy,
    rules: [...(config.policy?.rules ?? []), ...rules],
    ...(chosen && { mode: chosen }),
    positions: Object.fromEntries(positions),
  });
}

/** Finds rules that cannot be used, such as one with an invalid expression. */
export function policyProblems(agent: Ruled): FileProblem[] {
  try {
    agentPolicy(agent);
    return [];
  } catch (error) {
    if (!(error instanceof ConfigError) || error.field === undefined) throw error;
    const { field, message } = error;
    const position = agent.sources.positions[field] ?? agent.sources.positions.policy;
    if (position === undefined) throw error;
    return [{ message, position, field }];
  }
}
