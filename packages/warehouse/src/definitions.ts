/** Exports the engines and the settings of their connections. Imports no driver, because reading any `bridle.yaml` imports this module. */
export { connectors } from "./connectors/registry.ts";
export type { Connector } from "./port/connector.ts";
export { type DialectId, dialectIds } from "./port/dialect.ts";
export { type CommonSettings, commonKeys } from "./settings/common-keys.ts";
export { connectionEntrySchema, parseConnection } from "./settings/connection-schema.ts";
