import type { AgentDefinition, AgentSettings } from "@bridle/agent";
import { impossibleCalls } from "../checks/check-calls.ts";
import { warningsOfJudges } from "../judges/self-judging.ts";
import { namedCases } from "./choose-cases.ts";

/**
 * Returns the warnings that `bridle test` would show before the first run. `tools` are the names of all tools; undefined if they are not
 * known.
 */
export function testWarnings(
  definition: AgentDefinition,
  settings: AgentSettings,
  tools: readonly string[] | undefined,
): string[] {
  const known = tools && new Map(tools.map((name) => [name, null] as const));
  return [...warningsOfJudges(definition, settings), ...(known ? impossibleCalls(namedCases(definition), known) : [])];
}
