/** Finds the problems in entries of `context.sources` that the checks of single keys miss. */
import { parseSourceSettings } from "@bridle/ingest/definitions";
import { ConfigError, suggestion } from "@bridle/protocol";
import type { ContextConfig } from "./context.ts";
import type { FileProblem, YamlFile } from "./read-yaml.ts";

/** Names that ingest itself uses. */
const ownNames: readonly string[] = ["memory", "pages", "decisions"];

/** Finds the problems. Skips sources with unset variables, because only ingest needs these variables. */
export function findSourceFaults(
  { sources, connections }: Pick<ContextConfig, "sources" | "connections">,
  { absent, at }: Pick<YamlFile<unknown>, "absent" | "at">,
): FileProblem[] {
  const isAbsent = (holder: string) => Object.keys(absent).some((path) => path.startsWith(holder));
  return Object.entries(sources).flatMap(([name, entry]) => {
    const holder = `context.sources.${name}`;
    if (isAbsent(`${holder}.`)) return [];
    const fault = (message: string, field: string) => [{ message, field, position: at(field.split(".")) }];
    if (ownNames.includes(name)) return fault(`${holder} has a name that ingest itself uses. Choose another.`, holder);
    try {
      parseSourceSettings(name, entry);
    } catch (error) {
      if (!(error instanceof ConfigError)) throw error;
      return fault(error.message, error.field ?? holder);
    }
    const { connection } = entry;
    if (typeof connection !== "string" || Object.hasOwn(connections, connection)) return [];
    const known = Object.keys(connections);
    const remedy = known.length === 0 ? "Add it under context.connections." : `There are: ${known.join(", ")}.`;
    const hint = suggestion(connection, known) || ` ${remedy}`;
    return fault(`${holder}.connection: there is no connection "${connection}".${hint}`, `${holder}.connection`);
  });
}
