import { ConfigError, suggestion } from "@bridle/protocol";
import type { ContextToolConfig } from "./context-config.ts";

/** Throws ConfigError for a connection that the project does not have, or if it has none. */
export function checkNamedConnections({ connections = [] }: ContextToolConfig, known: readonly string[]): void {
  const field = "tools";
  if (known.length === 0) {
    throw new ConfigError("The project has no databases. Add one under context.connections in bridle.yaml.", { field });
  }
  const unknown = connections.find((name) => !known.includes(name));
  if (unknown === undefined) return;
  const remedy = suggestion(unknown, known) || ` There are: ${known.join(", ")}.`;
  throw new ConfigError(`There is no connection "${unknown}" in bridle.yaml.${remedy}`, { field });
}
