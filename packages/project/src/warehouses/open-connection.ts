import { basename } from "node:path";
import { ConfigError, suggestion } from "@bridle/protocol";
import type { Warehouse } from "@bridle/warehouse";
import { connectorOf } from "../config/connection-faults.ts";
import type { EnvironmentValue } from "../config/variables.ts";
import { settingsRedactor } from "../event-log/event-log.ts";
import { createValueRedactor } from "../hosts/value-redactor.ts";
import type { Settings } from "../settings/settings.ts";
import { absentIn } from "./list-connections.ts";

export interface WarehouseChoices {
  readonly signal?: AbortSignal | undefined;
}

/** Opens one of the connections in `bridle.yaml`. Imports the warehouse package, and only the driver of this engine. */
export async function openConnection(
  name: string,
  settings: Settings,
  { signal }: WarehouseChoices,
): Promise<Warehouse> {
  const { connections } = settings.context;
  const entry = Object.hasOwn(connections, name) ? connections[name] : undefined;
  if (entry === undefined) throw unknownConnection(name, Object.keys(connections));
  const missing = absentIn(name, settings);
  if (missing.length > 0) throw missingVariables(name, missing, settings);
  const { openWarehouse } = await import("@bridle/warehouse");
  const redactor = settingsRedactor(settings);
  const values = [...settings.values, ...namesOfFiles(settings.values)];
  return openWarehouse({
    name,
    connector: connectorOf(entry.type),
    config: entry,
    context: { projectDir: settings.projectDir, signal },
    cleanError: createValueRedactor(values, (text) => redactor.text(text)).error,
  });
}

/** Adds the file names without their folders, because the errors of an engine may contain only the name. */
function namesOfFiles(values: readonly EnvironmentValue[]): readonly EnvironmentValue[] {
  return values.flatMap(({ value, shown }) => (/[/\\]/.test(value) ? [{ value: basename(value), shown }] : []));
}

function unknownConnection(name: string, known: readonly string[]): ConfigError {
  const remedy =
    known.length === 0 ? "Add it under context.connections in bridle.yaml." : `There are: ${known.join(", ")}.`;
  return new ConfigError(`There is no connection "${name}".${suggestion(name, known) || ` ${remedy}`}`, {
    field: "context.connections",
  });
}

function missingVariables(name: string, variables: readonly string[], settings: Settings): ConfigError {
  const field = `context.connections.${name}`;
  const position = settings.positions[field];
  const inNamespace = "Pass it in the option environment. A namespace gets no credentials from this process.";
  const remedy = settings.namespace === undefined ? "Set it." : inNamespace;
  const message = `The connection ${name} needs ${variables.join(" and ")}, which the environment does not have. ${remedy}`;
  return new ConfigError(message, { field, ...(position && { position }) });
}
