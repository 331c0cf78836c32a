/**
 * Exports the engines and the settings of their connections. This module imports no driver, because it is loaded for every `bridle.yaml`.
 */
export { connectors } from "./connectors/registry.ts";
export type { Connector } from "./port/connector.ts";
export { type DialectId, dialectIds } from "./port/dialect.ts";
export { type CommonSettings, commonKeys } from "./settings/common-keys.ts";
export { connectionEntrySchema, parseConnection } from "./settings/connection-schema.ts";
