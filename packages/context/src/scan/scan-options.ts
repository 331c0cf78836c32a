import type { Warehouse } from "@bridle/warehouse";
import type { DriftEntry, JoinEnd } from "../facts/facts.ts";
import type { JoinDecision } from "../files/table-notes.ts";

export interface ScanOptions {
  /** What the scan may use. Default: no limit. What it had no budget for is in `missing` of the report. */
  readonly budget?: ScanBudget | undefined;
  /** Tables with more rows are sampled: about so many rows are read. Wide tables are sampled earlier. Default: 100,000. */
  readonly sampleRows?: number | undefined;
  /** Milliseconds after which one statement ends. Default: the limit of the connection, or 60,000. */
  readonly statementTimeoutMs?: number | undefined;
  /** What persons decided about joins. A scan never changes it. */
  readonly decisions?: readonly JoinDecision[] | undefined;
  /** Joins that a model proposes. Only the data can accept them. */
  readonly proposals?: readonly JoinProposal[] | undefined;
  /** Measures every table again, also those that have not changed. */
  readonly refresh?: boolean | undefined;
  /** Opens the warehouse again after the connection was lost. Without it, the scan ends then and can be continued. */
  readonly reconnect?: (() => Promise<Warehouse>) | undefined;
  readonly onProgress?: ((progress: ScanProgress) => void) | undefined;
  readonly signal?: AbortSignal | undefined;
  /** The current time, in milliseconds since 1970. */
  readonly now?: (() => number) | undefined;
}

export interface ScanBudget {
  /** Statements that the connection sends. */
  readonly queries?: number | undefined;
  readonly timeMs?: number | undefined;
}

export interface JoinProposal {
  readonly from: JoinEnd;
  readonly to: JoinEnd;
  /** Who proposes it. Proposals of one model are trusted as far as the data agree with all of them. */
  readonly model: string;
}

/** Columns are compared with others, what may be a key or a link is scored, links are checked, and joins asked about. */
export const scanPhases = ["structure", "tables", "columns", "scores", "links", "joins", "storing"] as const;

/** What a scan is doing. The phases follow each other, and `done` never decreases within one. */
export interface ScanProgress {
  readonly phase: (typeof scanPhases)[number];
  readonly done: number;
  /** Missing if it is not known in advance. */
  readonly total?: number | undefined;
  /** About how many milliseconds the phase still takes, once that can be said. */
  readonly remainingMs?: number | undefined;
}

export interface ScanReport {
  readonly connection: string;
  readonly tables: number;
  readonly columns: number;
  /** Tables that were read. */
  readonly measured: number;
  /** Tables that were not read, because they have not changed. */
  readonly unchanged: number;
  readonly joins: number;
  /** Joins that a person should look at. */
  readonly review: number;
  readonly queries: number;
  readonly durationMs: number;
  /** Tables that could not be read, each with the reason. */
  readonly problems: readonly { readonly table: string; readonly problem: string }[];
  /** Views that are not scanned, because they show what the settings leave out. */
  readonly leftOut: readonly string[];
  /** Patterns of the connection that match nothing, such as `sensitive: crm.customer.notes`: they protect nothing. */
  readonly unmatched: readonly string[];
  /** What the budget did not allow, in sentences. Empty if nothing is missing. */
  readonly missing: readonly string[];
  readonly drift: readonly DriftEntry[];
}
