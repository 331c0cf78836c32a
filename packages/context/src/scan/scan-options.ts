import type { Warehouse } from "@bridle/warehouse";
import type { DriftEntry, JoinEnd } from "../facts/facts.ts";
import type { JoinDecision } from "../files/table-notes.ts";

export interface ScanOptions {
  /** The budget of the scan. Default: no limit. The report's `missing` lists everything that the budget did not allow. */
  readonly budget?: ScanBudget | undefined;
  /** The number of rows to read. Tables with more rows are sampled, and so are wide tables with fewer rows. Default: 100,000. */
  readonly sampleRows?: number | undefined;
  /** The time limit of one statement in milliseconds. Default: the connection's limit, or 60,000. */
  readonly statementTimeoutMs?: number | undefined;
  /** The users' decisions about joins. A scan never changes them. */
  readonly decisions?: readonly JoinDecision[] | undefined;
  /** Joins that a model proposes. They are accepted only if the data support them. */
  readonly proposals?: readonly JoinProposal[] | undefined;
  /** Measures every table again, even if it has not changed. */
  readonly refresh?: boolean | undefined;
  /** Reopens the warehouse after the connection was lost. Default: the scan ends and can be continued. */
  readonly reconnect?: (() => Promise<Warehouse>) | undefined;
  readonly onProgress?: ((progress: ScanProgress) => void) | undefined;
  readonly signal?: AbortSignal | undefined;
  /** The current time, in milliseconds since 1970. */
  readonly now?: (() => number) | undefined;
}

export interface ScanBudget {
  /** The maximum number of statements that the connection sends. */
  readonly queries?: number | undefined;
  readonly timeMs?: number | undefined;
}

export interface JoinProposal {
  readonly from: JoinEnd;
  readonly to: JoinEnd;
  /** The author of the proposal. A model's proposals are trusted if the data support nearly all of them. */
  readonly model: string;
}

/**
 * In `columns`, columns are compared with others; in `scores`, possible keys and links are scored; in `links`, links are checked; in
 * `joins`, the chosen joins are checked against the data.
 */
export const scanPhases = ["structure", "tables", "columns", "scores", "links", "joins", "storing"] as const;

/** The current work of a scan. The phases follow each other, and `done` never decreases within one. */
export interface ScanProgress {
  readonly phase: (typeof scanPhases)[number];
  readonly done: number;
  /** Missing if the total is not known in advance. */
  readonly total?: number | undefined;
  /** The estimated milliseconds until the phase ends. Missing until an estimate is possible. */
  readonly remainingMs?: number | undefined;
}

export interface ScanReport {
  readonly connection: string;
  readonly tables: number;
  readonly columns: number;
  /** The number of tables that were read. */
  readonly measured: number;
  /** The number of tables that were not read, because they have not changed. */
  readonly unchanged: number;
  readonly joins: number;
  /** The number of joins that a user should review. */
  readonly review: number;
  readonly queries: number;
  readonly durationMs: number;
  /** Tables that could not be read, each with the reason. */
  readonly problems: readonly { readonly table: string; readonly problem: string }[];
  /** Views that are not scanned, because they show data that the settings leave out. */
  readonly leftOut: readonly string[];
  /** Patterns of the connection that match nothing, and so protect nothing, such as `sensitive: crm.customer.notes`. */
  readonly unmatched: readonly string[];
  /** The work that the budget did not allow, in sentences. Empty if nothing is missing. */
  readonly missing: readonly string[];
  readonly drift: readonly DriftEntry[];
}
