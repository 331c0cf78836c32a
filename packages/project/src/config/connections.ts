/** Determines from the path of a setting in `bridle.yaml` whether it is a credential, and whether it affects how a host is reached. */
import { sourceSecretKeys } from "@bridle/ingest/definitions";
import { isSecretName } from "@bridle/protocol";
import { type Connector, commonKeys, connectors } from "@bridle/warehouse/definitions";
import { allEmbedders } from "../registries/embedder-registry.ts";
import { allHosts } from "../registries/host-registry.ts";

/** The path of the event log's address. */
const eventLogUrl = "eventLog.url";

type Path = readonly PropertyKey[];

const forms = [...allHosts(), ...allEmbedders()].map(({ settings }) => settings);

/** Keys of credentials. Their values are never shown. */
const secretKeys: readonly PropertyKey[] = forms.flatMap(({ secretKeys = [] }) => secretKeys);

/** Keys that do not determine how a host is reached. */
const otherKeys: readonly PropertyKey[] = ["backend", ...forms.flatMap(({ plainKeys = [] }) => plainKeys)];

/** Credentials of warehouses: keys, and mappings in which every value may be a credential. */
const warehouseSecrets = {
  keys: connectors.flatMap(({ secrets }: Connector) => secrets.keys ?? []),
  mappings: connectors.flatMap(({ secrets }: Connector) => secrets.mappings ?? []),
};

/** Whether the value at this path is a credential. */
export function isCredential(path: Path): boolean {
  if (isOfWarehouse(path)) return isWarehouseSecret(path);
  if (isOfSource(path)) return sourceSecretKeys.includes(String(path[3]));
  return (secretKeys.includes(path.at(-1) ?? "") && isSetting(path)) || (isHeader(path) && isSecretName(nameOf(path)));
}

/** Whether the value at this path is never shown. Headers are not shown either, because they may contain a credential. */
export function isSecret(path: Path): boolean {
  return isCredential(path) || isHeader(path);
}

/**
 * Whether the value at this path determines how a host, the event log or a warehouse is reached. If its variable is not set, only requests
 * to that host fail: a status, a rehearsal or a run on another backend does not need it.
 */
export function isConnection(path: Path): boolean {
  const isReaching = isSetting(path) && !otherKeys.includes(path.at(-1) ?? "");
  if (isOfWarehouse(path)) return ![...Object.keys(commonKeys), "type"].includes(String(path[3]));
  if (isOfSource(path)) return path[3] !== "type";
  return isHeader(path) || isReaching || path.join(".") === eventLogUrl;
}

/** Whether the path is of a key of one of `context.connections`, or of a value below such a key. */
function isOfWarehouse(path: Path): boolean {
  return path[0] === "context" && path[1] === "connections" && path.length > 3;
}

/** Whether the path is of a key of one of `context.sources`, or of a value below such a key. */
function isOfSource(path: Path): boolean {
  return path[0] === "context" && path[1] === "sources" && path.length > 3;
}

function isWarehouseSecret(path: Path): boolean {
  const keys = path.slice(3).map(String);
  return (
    keys.some((key) => warehouseSecrets.mappings.includes(key)) || warehouseSecrets.keys.includes(keys.at(-1) ?? "")
  );
}

function isSetting(path: Path): boolean {
  return ["llm.provider", "embeddings"].includes(path.slice(0, -1).join("."));
}

function isHeader(path: Path): boolean {
  return path.slice(0, -1).join(".") === "llm.provider.headers";
}

function nameOf(path: Path): string {
  return String(path.at(-1));
}
