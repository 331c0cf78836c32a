import { connectorOf } from "../config/connection-faults.ts";
import type { Settings } from "../settings/settings.ts";

/** A connection of the project, without its credentials. */
export interface ListedConnection {
  readonly name: string;
  /** The engine, such as `postgres`. */
  readonly type: string;
  /** The place of the database without credentials; a variable as the file names it. */
  readonly place: string;
  /** Whether its database is in files of this machine, and nothing is sent to a server. */
  readonly isLocal: boolean;
  /** Unset variables that it needs. */
  readonly missing: readonly string[];
}

/** The connections of a project in the order of the file. Opens nothing. */
export function listConnections(settings: Settings): ListedConnection[] {
  return Object.entries(settings.context.connections).map(([name, entry]) => {
    const missing = absentIn(name, settings);
    const { isLocal = false } = connectorOf(entry.type);
    return { name, type: entry.type, place: describePlace(name, settings), isLocal, missing };
  });
}

/** The unset variables of a connection. */
export function absentIn(name: string, { absent }: Pick<Settings, "absent">): string[] {
  const holder = `context.connections.${name}.`;
  const variables = Object.entries(absent).flatMap(([path, names]) => (path.startsWith(holder) ? names : []));
  return [...new Set(variables)];
}

/** Values of the environment are shown as the file names them, and credentials not at all. */
function describePlace(name: string, settings: Settings): string {
  const entry = settings.context.connections[name];
  if (entry === undefined) return "";
  const { schema, describe } = connectorOf(entry.type);
  const written = writtenKeys(name, settings);
  const url = written.get("url"); // the whole place is in it
  if (url !== undefined) return url;
  // Keys that all connections share do not identify the database.
  const own = Object.keys(schema.shape).filter((key) => key in entry || written.has(key));
  const parsed = schema.safeParse(Object.fromEntries(own.map((key) => [key, written.get(key) ?? entry[key]])));
  return parsed.success ? describe(parsed.data) : [...written.values()].join(", ");
}

/** The keys of a connection that are written with variables, as the file has them. */
function writtenKeys(name: string, { written }: Pick<Settings, "written">): ReadonlyMap<string, string> {
  const holder = `context.connections.${name}.`;
  const own = Object.entries(written).filter(([path]) => path.startsWith(holder));
  return new Map(own.map(([path, text]) => [path.slice(holder.length).split(".")[0] ?? "", text]));
}
