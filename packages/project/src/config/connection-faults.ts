/** Finds the problems in entries of `context.connections` that the checks of single keys miss. */
import { ConfigError } from "@bridle/protocol";
import { type Connector, connectors, parseConnection } from "@bridle/warehouse/definitions";
import type { ContextConfig } from "./context.ts";
import type { FileProblem, YamlFile } from "./read-yaml.ts";

/** Finds the problems. Skips connections with unset variables, because only opening them needs these variables. */
export function findConnectionFaults(
  { connections }: Pick<ContextConfig, "connections">,
  { absent, at }: Pick<YamlFile<unknown>, "absent" | "at">,
): FileProblem[] {
  return Object.entries(connections).flatMap(([name, entry]) => {
    const holder = `context.connections.${name}.`;
    if (Object.keys(absent).some((path) => path.startsWith(holder))) return [];
    try {
      parseConnection(name, connectorOf(entry.type), entry);
      return [];
    } catch (error) {
      if (!(error instanceof ConfigError)) throw error;
      const { message, field = holder } = error;
      return [{ message, field, position: at(field.split(".")) }];
    }
  });
}

/** Returns the definition of an engine. The schema has checked its name. */
export function connectorOf(type: unknown): Connector {
  const found = connectors.find((each: Connector) => each.type === type);
  if (found === undefined) throw new Error(`There is no engine "${String(type)}".`);
  return found;
}
