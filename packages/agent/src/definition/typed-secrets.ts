/** Credentials that are written into the agent's file instead of a reference to the environment. */
import type { EnvironmentValue } from "@bridle/project";
import type { SensitiveFields } from "./sensitive-fields.ts";

export interface AgentSecret extends EnvironmentValue {
  /** Such as `model.api_key`. */
  readonly field: string;
}

/** `written` has the paths whose values came from the environment. */
export function agentSecrets(
  raw: unknown,
  written: Readonly<Record<string, string>>,
  { isCredential }: Pick<SensitiveFields, "isCredential">,
): AgentSecret[] {
  const walk = (value: unknown, path: readonly string[]): AgentSecret[] => {
    if (typeof value === "object" && value !== null) {
      return Object.entries(value).flatMap(([key, inner]) => walk(inner, [...path, key]));
    }
    const field = path.join(".");
    if (typeof value !== "string" || value === "" || written[field] !== undefined || !isCredential(path)) return [];
    return [{ field, value, shown: `(${field})` }];
  };
  return walk(raw, []);
}
