/** The schema of an entry of `context.connections`. */
import { ConfigError } from "@bridle/protocol";
import type { Connector } from "../port/connector.ts";
import { type CommonSettings, commonKeys } from "./common-keys.ts";

/** Returns a schema with the engine's keys and those that all connections have. */
export function connectionEntrySchema({ schema }: Connector) {
  return schema.safeExtend(commonKeys);
}

/**
 * Parses an entry of `context.connections`.
 *
 * @throws ConfigError that names the first invalid key.
 */
export function parseConnection(
  name: string,
  connector: Connector,
  entry: Readonly<Record<string, unknown>>,
): Record<string, unknown> & CommonSettings {
  const parsed = connectionEntrySchema(connector).safeParse(entry);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  const field = ["context.connections", name, ...(issue?.path ?? [])].map(String).join(".");
  const isMissing = issue?.code === "invalid_type" && valueAt(entry, issue.path) === undefined;
  const reason = isMissing ? "is missing" : `is wrong: ${issue?.message ?? "it cannot be read"}`;
  throw new ConfigError(`The connection ${name} cannot be opened, because ${field} ${reason}.`, { field });
}

function valueAt(value: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce<unknown>(
    (holder, key) => (typeof holder === "object" && holder !== null ? Reflect.get(holder, key) : undefined),
    value,
  );
}
