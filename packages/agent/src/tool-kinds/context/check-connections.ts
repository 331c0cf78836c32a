import { ConfigError, suggestion } from "@bridle/protocol";
import type { ContextToolConfig } from "./context-config.ts";

/**
 * Throws ConfigError if the project has no connections or lacks a named one, or if an agent that sees only some of the databases may
 * remember facts for everybody.
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

/**
 * Refuses memory for everybody from an agent that sees only a part of the databases. A project's memory is checked against all tables, and
 * agents that see other tables read it too.
 */
function refusePartialMemory(config: ContextToolConfig, known: readonly string[]): void {
  const { connections = known, include, exclude, remember } = config;
  const isPart = include !== undefined || exclude !== undefined || known.some((name) => !connections.includes(name));
  if (remember !== "project" || !isPart) return;
  throw new ConfigError(
    "remember: project is for everybody, but this agent sees only a part of the databases. Use remember: user, or remove connections, include and exclude.",
    { field: "tools" },
  );
}
