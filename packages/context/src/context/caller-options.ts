/** What callers of a context give and get. */
import type { AnyTool } from "@bridle/protocol";
import type { TableScope } from "@bridle/warehouse";
import type { KnownJoin, KnownTable } from "../knowledge/known.ts";
import type { KnownToAgent } from "../tools/context-tools.ts";

export interface CallerOptions {
  /** The connections that the caller may use. Default: all. */
  readonly connections?: readonly string[] | undefined;
  /** What of them the caller may see. Default: all that the settings allow. */
  readonly scope?: TableScope | undefined;
}

export interface ContextToolsetOptions extends CallerOptions {
  /** The most tokens of one reply. Default: 4,000. */
  readonly replyTokens?: number | undefined;
  /** Default: `all`. */
  readonly knowledge?: KnownToAgent | undefined;
}

export interface ContextToolset {
  readonly tools: readonly AnyTool[];
  /** What an agent with the tools is told, in addition to its own instructions. */
  readonly instructions: string;
}

export interface DescribedTable {
  readonly table: KnownTable;
  readonly joins: readonly KnownJoin[];
}
