import { ConfigError, createPolicy, type Policy, type PolicyModeName } from "@bridle/core";
import type { FileProblem } from "@bridle/project";
import type { AgentDefinition } from "./agent-definition.ts";

type Ruled = Pick<AgentDefinition, "config" | "places">;

/** The rules of the agent's file, which decide over the project's, in the mode that the caller wants. Throws ConfigError. */
export function policyOf({ config, places }: Ruled, mode?: PolicyModeName): Policy | undefined {
  if (config.policy === undefined) return undefined;
  const positions = Object.entries(places.positions).flatMap(([path, position]) =>
    path.startsWith("policy.") ? [[path.slice("policy.".length), position] as const] : [],
  );
  return createPolicy({ ...config.policy, ...(mode && { mode }), positions: Object.fromEntries(positions) });
}

/** What makes them none, such as an expression that cannot be read. */
export function policyProblems(agent: Ruled): FileProblem[] {
  try {
    policyOf(agent);
    return [];
  } catch (error) {
    if (!(error instanceof ConfigError) || !error.position) throw error;
    const { position, field } = error;
    const message = error.message.slice(error.message.indexOf(": ") + 2); // the place is told by itself
    return [{ message, position, ...(field !== undefined && { field: `policy.${field}` }) }];
  }
}
