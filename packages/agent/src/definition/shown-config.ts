import { isOpenSecret } from "@bridle/project";
import type { JsonValue } from "@bridle/protocol";
import type { AgentDefinition } from "./agent-definition.ts";
import { sensitiveFields } from "./sensitive-fields.ts";

/**
 * Returns the content of an agent file without credentials: values from the environment appear as the references in the file, and
 * credentials in the file itself are left out.
 */
export function shownConfig({
  config,
  sources,
  toolKinds,
}: Pick<AgentDefinition, "config" | "sources" | "toolKinds">): JsonValue {
  const fields = sensitiveFields(toolKinds);
  const walk = (value: unknown, path: readonly string[]): unknown => {
    const reference = sources.written[path.join(".")];
    if (reference !== undefined) return reference;
    if (typeof value !== "object" || value === null) return isOpenSecret(value, path, fields) ? undefined : value;
    if (Array.isArray(value)) return value.map((inner, index) => walk(inner, [...path, String(index)]));
    return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, walk(inner, [...path, key])]));
  };
  return JSON.parse(JSON.stringify(walk(config, [])));
}
