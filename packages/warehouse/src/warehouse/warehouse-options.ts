import type { ConnectContext, Connector } from "../port/connector.ts";

export interface OpenWarehouseOptions {
  /** The name of the connection. */
  readonly name: string;
  readonly connector: Connector;
  /** The entry of `context.connections`: the keys of the engine, and those that all connections have. It is checked here. */
  readonly config: Readonly<Record<string, unknown>>;
  readonly context: ConnectContext;
  /** Rewrites an error in place, so that it contains no credentials from the settings. Default: errors stay unchanged. */
  cleanError?(error: unknown): void;
}
