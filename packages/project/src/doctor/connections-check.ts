import { type BridleError, isBridleError } from "@bridle/protocol";
import type { SafetyFinding, Warehouse } from "@bridle/warehouse";
import { settingsRedactor } from "../event-log/event-log.ts";
import type { Settings } from "../settings/settings.ts";
import { type ListedConnection, listConnections } from "../warehouses/list-connections.ts";
import { openConnection } from "../warehouses/open-connection.ts";
import { type Check, failed, passed, skipped, warned } from "./check.ts";
import { interrupted } from "./live-check.ts";

/** Opens each warehouse of the project, one after the other. */
export async function checkConnections(settings: Settings, isOpened: boolean, signal?: AbortSignal): Promise<Check[]> {
  const checks: Check[] = [];
  for (const connection of listConnections(settings)) {
    const identity = identityOf(connection);
    if (!isOpened) checks.push(skipped(identity, `${connection.place}: not opened`));
    else checks.push(await checkConnection(connection, settings, signal));
  }
  const redactor = settingsRedactor(settings);
  return checks.map(({ remedy, ...check }) => ({
    ...check,
    detail: redactor.text(check.detail),
    ...(remedy === undefined ? {} : { remedy: redactor.text(remedy) }),
  }));
}

function identityOf({ name }: ListedConnection) {
  return { id: `connection-${name}`, title: `Warehouse ${name}`, area: "configuration" } as const;
}

async function checkConnection(
  connection: ListedConnection,
  settings: Settings,
  signal: AbortSignal | undefined,
): Promise<Check> {
  const identity = identityOf(connection);
  let warehouse: Warehouse | undefined;
  try {
    warehouse = await openConnection(connection.name, settings, { signal });
    return await describeWarehouse(warehouse, connection);
  } catch (error) {
    if (signal?.aborted) return skipped(identity, interrupted);
    if (!isBridleError(error)) throw error;
    return failed({ ...identity, area: areaOfFailure(error) }, error.message, "Correct the connection in bridle.yaml.");
  } finally {
    await warehouse?.close();
  }
}

function areaOfFailure({ code }: BridleError): Check["area"] {
  if (code === "authentication" || code === "config") return code === "config" ? "configuration" : code;
  return "backend";
}

async function describeWarehouse(warehouse: Warehouse, connection: ListedConnection): Promise<Check> {
  const identity = identityOf(connection);
  const { product, version } = warehouse.server;
  const findings = await warehouse.inspectSafety();
  const { tables, problems } = await warehouse.readStructure();
  const unused = await warehouse.findUnusedPatterns();
  const detail = [
    `${product} ${version}, ${connection.place}: ${tables.length} tables in scope`,
    ...(problems.length > 0 ? [`${problems.length} tables cannot be read`] : []),
    ...findings.map(describeFinding),
    ...unused.map((pattern) => `no name matches ${pattern}`),
  ].join("; ");
  const remedies = [
    ...findings.filter(({ ok }) => !ok).map(({ message }) => message),
    ...(unused.length > 0 ? [`Correct or remove ${unused.join(", ")} of the connection ${connection.name}.`] : []),
  ];
  return remedies.length === 0 ? passed(identity, detail) : warned(identity, detail, remedies.join(" "));
}

function describeFinding({ layer, ok, message }: SafetyFinding): string {
  return `${layer} ${ok ? "holds" : "is weak"}: ${message.replace(/\.$/, "")}`;
}
