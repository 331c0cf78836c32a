import type { Warehouse } from "@bridle/warehouse";
import type { NotesOfFiles } from "../files/table-notes.ts";
import type { Knowledge } from "../knowledge/knowledge.ts";
import type { ContextMetrics } from "../metrics/context-metrics.ts";
import type { ContextSearch } from "../search/context-search.ts";
import type { Wiki } from "../wiki/wiki.ts";
import type { ScopedConnection } from "./tool-scope.ts";

/** The dependencies of the tools. */
export interface ContextToolsOptions {
  readonly knowledge: Knowledge;
  readonly search: ContextSearch;
  /** The connections that the caller may use. */
  readonly connections: readonly ScopedConnection[];
  /** Returns the open connection with this name. Called each time that a tool needs the connection. Rejects with a BridleError. */
  openWarehouse(name: string, signal?: AbortSignal): Promise<Warehouse>;
  /** Reads the notes in the project's files, for hidden and sensitive columns. */
  readonly readNotes?: (() => NotesOfFiles) | undefined;
  /** The project's metrics. Default: none, so that the tools do not include `query_metrics`. */
  readonly metrics?: ContextMetrics | undefined;
  /** The project's pages. Default: none, so that the tools do not include `read_page`. */
  readonly wiki?: Wiki | undefined;
  /** The maximum number of tokens of one reply. Default: 4,000. */
  readonly replyTokens?: number | undefined;
  readonly now?: (() => Date) | undefined;
}
