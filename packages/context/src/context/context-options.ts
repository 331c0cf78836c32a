/** The options for opening a context, and its results. */
import type { AnyTool, Embedder, Logger } from "@bridle/protocol";
import type { TableScope, Warehouse } from "@bridle/warehouse";
import type { DescribeTablesOptions } from "../descriptions/describe-tables.ts";
import type { ContextFolder } from "../facts/context-folder.ts";
import type { ChangeFilesOptions } from "../files/change-files.ts";
import type { KnownJoin, KnownTable } from "../knowledge/known.ts";
import type { KnownToAgent } from "../tools/context-tools.ts";

/** A connection that a context may open. */
export interface ContextConnection {
  readonly name: string;
  /** The tables that the connection's settings allow. Default: all. */
  readonly scope?: TableScope | undefined;
  /** The connection's entry in the settings, with its scope, row filters and sensitive columns. Default: none. */
  readonly settings?: Readonly<Record<string, unknown>> | undefined;
  /** Opens the connection. Called on first use. Rejects with a BridleError. */
  open(signal?: AbortSignal): Promise<Warehouse>;
}

export interface OpenContextOptions extends ContextFolder, Pick<ChangeFilesOptions, "commit" | "environment"> {
  readonly connections: readonly ContextConnection[];
  /** The embedder for searches. The context closes the embedder. Default: none, so that searches match words only. */
  readonly embedder?: Embedder | undefined;
  readonly logger?: Logger | undefined;
}

export interface CallerOptions {
  /** The connections that the caller may use. Default: all. */
  readonly connections?: readonly string[] | undefined;
  /** The tables that the caller may see. Default: all that the settings allow. */
  readonly scope?: TableScope | undefined;
}

export interface ContextToolsetOptions extends CallerOptions {
  /** The maximum number of tokens of one reply. Default: 4,000. */
  readonly replyTokens?: number | undefined;
  /** What the agent knows about the data. Default: `all`. */
  readonly knowledge?: KnownToAgent | undefined;
}

/** The options of `writeDescriptions`. */
export type WriteDescriptionsOptions = Pick<DescribeTablesOptions, "connection" | "tokens" | "onProgress" | "signal">;

export interface ContextToolset {
  readonly tools: readonly AnyTool[];
  /** Explains the tools to an agent, in addition to the agent's own instructions. */
  readonly instructions: string;
}

export interface DescribedTable {
  readonly table: KnownTable;
  readonly joins: readonly KnownJoin[];
}
