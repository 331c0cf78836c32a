/** Checks whether the tools and agents that rules name exist in the project. */
import { createPolicy, readResultName } from "@bridle/core";
import { loadHost, type Project, readPolicyScope } from "@bridle/project";
import { ConfigError, isBridleError } from "@bridle/protocol";
import { parseRules } from "./edit-rules.ts";
import type { Rules } from "./rule-schemas.ts";

export interface RuleNames {
  /**
   * Throws ConfigError for a name that neither an agent nor the host has, unless `before` already contains it. Returns warnings
   * about names that cannot be checked.
   */
  require(rules: Rules | null, before?: Rules): readonly string[];
  /** Whether no tool has this name, as far as all tool names are known. */
  isUnknown(tool: string): boolean;
}

/** Reads the files of the project's agents without opening the agents. */
export async function readRuleNames({ settings, projectDir }: Project): Promise<RuleNames> {
  const scope = await readPolicyScope(projectDir);
  const { builtins } = (await loadHost(settings.provider)).features(settings.provider, settings);
  const known = [...Object.keys(builtins), readResultName];
  const check = (rules: Rules) =>
    [undefined, ...agentsIn(rules)].flatMap(
      (agent) => createPolicy(rules, { ...scope, agent, agents: scope.agents }).checkNames?.(known) ?? [],
    );
  const isUnknown = (tool: string) => failureOf(() => check({ disable: [tool] })) !== undefined;
  return {
    isUnknown,
    require(rules, before) {
      if (rules === null) return [];
      const kept = namesIn(before);
      let left = rules;
      for (;;) {
        const failure = failureOf(() => check(left));
        if (failure === undefined) return [...new Set(check(left))];
        const corrected = withoutName(left, failure, kept);
        if (corrected === undefined) throw failure;
        left = corrected;
      }
    },
  };
}

/** Returns the agents that the rules are limited to. */
function agentsIn({ rules = [] }: Rules): readonly string[] {
  return [...new Set(rules.flatMap(({ agents = [] }) => agents))];
}

function namesIn(rules: Rules | undefined): readonly string[] {
  return [...(rules?.disable ?? []), ...(rules?.rules ?? []).map(({ tool }) => tool)];
}

/** Replaces an unknown name that the old rules already contained with a known name; undefined if the unknown name is new. */
function withoutName(rules: Rules, { field = "" }: ConfigError, kept: readonly string[]): Rules | undefined {
  const [, list, place] = /^policy\.(disable|rules)\.(\d+)(?:\.tool)?$/.exec(field) ?? [];
  const index = Number(place);
  const { disable = [], rules: own = [] } = rules;
  if (list === "disable" && kept.includes(disable[index] ?? "")) {
    return { ...rules, disable: disable.with(index, readResultName) };
  }
  const rule = list === "rules" ? own[index] : undefined;
  if (rule === undefined || !kept.includes(rule.tool)) return undefined;
  return { ...rules, rules: own.with(index, { ...rule, tool: readResultName }) };
}

function failureOf(check: () => unknown): ConfigError | undefined {
  try {
    check();
    return undefined;
  } catch (error) {
    if (isBridleError(error) && error instanceof ConfigError) return error;
    throw error;
  }
}

/**
 * Returns warnings about the names in the rules of a file's text. If a name is invalid, returns only the error message. Throws ConfigError
 * if the rules are invalid.
 */
export async function findRuleProblems(text: string | undefined, project: Project): Promise<readonly string[]> {
  const rules = parseRules(text);
  if (rules === undefined) return [];
  const names = await readRuleNames(project);
  const failure = failureOf(() => names.require(rules));
  return failure === undefined ? names.require(rules) : [failure.message];
}
