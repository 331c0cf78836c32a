import { connectorOf } from "../config/connection-faults.ts";
import type { Settings } from "../settings/settings.ts";

/** A connection of the project, without its credentials. */
export interface ListedConnection {
  readonly name: string;
  /** The engine, such as `postgres`. */
  readonly type: string;
  /** Where the database is, without credentials. Variables appear as the file names them. */
  readonly place: string;
  /** Whether the database is in files on this machine, so that nothing is sent to a server. */
  readonly isLocal: boolean;
  /** The unset variables that the connection needs. */
  readonly missing: readonly string[];
}

/** Lists the connections of a project in the order of the file. Opens none of them. */
export function listConnections(settings: Settings): ListedConnection[] {
  return Object.entries(settings.context.connections).map(([name, entry]) => {
    const missing = absentIn(name, settings);
    const { isLocal = false } = connectorOf(entry.type);
    return { name, type: entry.type, place: describePlace(name, settings), isLocal, missing };
  });
}

/** Lists the unset variables of a connection. */
export function absentIn(name: string, { absent }: Pick<Settings, "absent">): string[] {
  const holder = `context.connections.${name}.`;
  const variables = Object.entries(absent).flatMap(([path, names]) => (path.startsWith(holder) ? names : []));
  return [...new Set(variables)];
}

/** Describes where the database is. Values from the environment appear as the file names them, and credentials not at all. */
function describePlace(name: string, settings: Settings): string {
  const entry = settings.context.connections[name];
  if (entry === undefined) return "";
  const { schema, describe } = connectorOf(entry.type);
  const written = writtenKeys(name, settings);
  const url = written.get("url"); // the URL contains everything
  if (url !== undefined) return url;
  // Keys that all connections share do not identify the database.
  const own = Object.keys(schema.shape).filter((key) => key in entry || written.has(key));
  const parsed = schema.safeParse(Object.fromEntries(own.map((key) => [key, written.get(key) ?? entry[key]])));
  return parsed.success ? describe(parsed.data) : [...written.values()].join(", ");
}

/** Returns the keys of a connection whose values contain variables, with the text in the file. */
function writtenKeys(name: string, { written }: Pick<Settings, "written">): ReadonlyMap<string, string> {
  const holder = `context.connections.${name}.`;
  const own = Object.entries(written).filter(([path]) => path.startsWith(holder));
  return new Map(own.map(([path, text]) => [path.slice(holder.length).split(".")[0] ?? "", text]));
}
