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

/** Values of the environment are shown as the file names them. */
function describePlace(name: string, settings: Settings): string {
  const entry = settings.context.connections[name];
  const holder = `context.connections.${name}.`;
  const references = Object.entries(settings.written).filter(([path]) => path.startsWith(holder));
  if (entry === undefined || references.length > 0) return references.map(([, text]) => text).join(", ");
  const connector = connectorOf(entry.type);
  const parsed = connector.schema.safeParse(entry);
  return parsed.success ? connector.describe(parsed.data) : "";
}
