import { ConfigError, suggestion } from "@bridle/protocol";
import type { ContextToolConfig } from "./context-config.ts";

/**
 * Throws ConfigError for a connection that the project does not have, or if it has none, and if an agent that sees a part of the
 * databases is to remember for everybody.
 */
export function checkNamedConnections(config: ContextToolConfig, known: readonly string[]): void {
  const { connections = [] } = config;
  const field = "tools";
  if (known.length === 0) {
    throw new ConfigError("The project has no databases. Add one under context.connections in bridle.yaml.", { field });
  }
  const unknown = connections.find((name) => !known.includes(name));
  if (unknown !== undefined) {
    const remedy = suggestion(unknown, known) || ` There are: ${known.join(", ")}.`;
    throw new ConfigError(`There is no connection "${unknown}" in bridle.yaml.${remedy}`, { field });
  }
  refusePartialMemory(config, known);
}

/** The memory of a project is checked against all its tables, and read by agents that see other ones. */
function refusePartialMemory(config: ContextToolConfig, known: readonly string[]): void {
  const { connections = known, include, exclude, remember } = config;
  const isPart = include !== undefined || exclude !== undefined || known.some((name) => !connections.includes(name));
  if (remember !== "project" || !isPart) return;
  throw new ConfigError(
    "remember: project is for everybody, but this agent sees only a part of the databases. Use remember: user, or remove connections, include and exclude.",
    { field: "tools" },
  );
}
