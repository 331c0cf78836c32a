import { ConfigError, suggestion } from "@bridle/protocol";
import type { ProjectContext } from "../context/project-context.ts";

/** Throws ConfigError if the connection does not exist, or if the project has no connections. */
export function chooseConnections(
  connection: string | undefined,
  { project }: Pick<ProjectContext, "project">,
): readonly string[] {
  const names = project.connections.map(({ name }) => name);
  if (names.length === 0) {
    const message = 'bridle.yaml has no context.connections. Add one, or let "bridle context init" find databases.';
    throw new ConfigError(message, { field: "context.connections" });
  }
  if (connection === undefined) return names;
  if (names.includes(connection)) return [connection];
  const hint = suggestion(connection, names) || ` There are: ${names.join(", ")}.`;
  const message = `There is no connection ${connection}.${hint}`;
  throw new ConfigError(message, { field: "context.connections" });
}
