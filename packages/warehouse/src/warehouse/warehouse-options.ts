import type { ConnectContext, Connector } from "../port/connector.ts";

export interface OpenWarehouseOptions {
  /** The name of the connection. */
  readonly name: string;
  readonly connector: Connector;
  /** The entry of `context.connections`, with the engine's keys and those that all connections have. `openWarehouse` checks it. */
  readonly config: Readonly<Record<string, unknown>>;
  readonly context: ConnectContext;
  /** Removes credentials that the settings contain from an error, in place. Default: errors stay unchanged. */
  cleanError?(error: unknown): void;
}
