import type { JsonValue } from "@bridle/protocol";
import type { AgentDefinition } from "./agent-definition.ts";
import { isCredential } from "./sensitive-fields.ts";

/**
 * What an agent's file says, as it was understood and as it may be shown: what came from the environment as the file
 * refers to it, without the credentials that stand in the file itself.
 */
export function shownConfig({ config, places }: Pick<AgentDefinition, "config" | "places">): JsonValue {
  const walk = (value: unknown, path: readonly string[]): unknown => {
    const reference = places.written[path.join(".")];
    if (reference !== undefined) return reference;
    if (typeof value !== "object" || value === null) return isCredential(path) ? undefined : value;
    if (Array.isArray(value)) return value.map((inner, index) => walk(inner, [...path, String(index)]));
    return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, walk(inner, [...path, key])]));
  };
  return JSON.parse(JSON.stringify(walk(config, [])));
}
