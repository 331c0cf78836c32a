/**
 * The interface of a source. A source contains knowledge that people wrote elsewhere, for example in a wiki, a dbt project or a query log.
 * It fetches its items, and turns everything that a parser can read into candidates, without a model.
 */
import type { PlaceModel } from "@bridle/metric-formats";
import type { Candidate } from "./candidate.ts";

/** The authority of an item, from the strongest to the weakest. A user's decision is stronger than all of them. */
export const authorities = ["person", "certified", "document", "inferred"] as const;

/**
 * `person`: a user told Bridle so. `certified`: a definition that a tool computes with, such as a dbt model. `document`: prose. `inferred`:
 * derived from behaviour, such as the joins in a query log.
 */
export type Authority = (typeof authorities)[number];

/** An item of a source: a page, a file, a card, a query template. */
export interface SourceItem {
  /** Stable and unique in the source, such as `metrics/fares.md` or a page id. It never depends on the content. */
  readonly id: string;
  /** The name that people use for the item. */
  readonly title: string;
  /** The content, as text or Markdown. Spans are positions in this text. Credentials in it are removed before it is stored. */
  readonly text: string;
  /** The kind of item, such as `page` or `card`. */
  readonly kind: string;
  readonly authority: Authority;
  /** When the item was last changed at the source, in ISO 8601. Shows which of two documents is later. */
  readonly updatedAt?: string | undefined;
  /** A path in the project or an address, for display, without credentials. */
  readonly location?: string | undefined;
  /** What the item links to: ids of items in this source, or addresses. */
  readonly links?: readonly string[] | undefined;
  /** The name of the skill that a model should read before it works on the item. Default: the skill of the source kind. */
  readonly skill?: string | undefined;
  /** Whether a parser reads the whole item, so that no model is called. Default: false. */
  readonly isStructured?: boolean | undefined;
}

/** The events of a fetch, in any order, except that `complete` is the last. */
export type FetchEvent =
  | { readonly kind: "item"; readonly item: SourceItem }
  /** The item has not changed since the last complete fetch, so it was not read again. */
  | { readonly kind: "unchanged"; readonly id: string }
  /**
   * The item could not be read completely, or not at all. Its last version remains. The message is one sentence: reason, subject, remedy.
   */
  | { readonly kind: "problem"; readonly id?: string | undefined; readonly message: string }
  /** All items were listed, so that items without an event are gone. `cursor` is passed to the next fetch. */
  | { readonly kind: "complete"; readonly cursor?: string | undefined };

export interface FetchContext {
  /** The cursor of the last complete fetch. Undefined in the first fetch. */
  readonly cursor?: string | undefined;
  readonly signal: AbortSignal;
  /**
   * Returns the time of an item's last change according to the last complete fetch, in ISO 8601. Undefined if the item is new or the time
   * is unknown.
   */
  updatedAtOf(id: string): string | undefined;
}

/** The known names, for sources whose items refer to tables. */
export interface ProjectionContext {
  /**
   * Finds a table's identifier, `connection.schema.table`, by any name that an item uses; undefined if no table or several tables match.
   */
  findTable(name: string): string | undefined;
  /**
   * Finds the identifier of a column in a table. `column` may be in any letter case. If there is no such function or it returns undefined,
   * the column keeps the name that the item uses.
   */
  readonly findColumn?: ((table: string, column: string) => string | undefined) | undefined;
  /**
   * Finds the table and columns of a model from another tool. Returns a sentence with the reason if it finds none, and undefined if nothing
   * has been scanned. If missing, `findTable` finds the table, and columns are unknown.
   */
  readonly placeModel?: PlaceModel | undefined;
  /** Returns the stored text of an item's current version. */
  textOf(id: string): string;
  readonly signal: AbortSignal;
}

export interface Projection {
  readonly candidates: readonly Candidate[];
  /** Entries that could not be read, with their positions. */
  readonly findings: readonly ProjectionFinding[];
}

export interface ProjectionFinding {
  /** `refused`: the entry is not in the candidates. `changed`: the entry is a candidate, but with another meaning or display. */
  readonly kind: "refused" | "changed";
  /** The entry, such as `measure revenue`. */
  readonly subject: string;
  /** The reason in one sentence. */
  readonly reason: string;
  readonly item: string;
  readonly line?: number | undefined;
}

export interface IngestSource {
  /** The source's name in `context.sources`, or the path that the user passed on the command line. */
  readonly name: string;
  /** The kind, such as `dbt`. */
  readonly type: string;
  /**
   * Lists all items. Contract: throws a BridleError only if nothing can be read, for example because of a wrong token or a missing folder.
   * Reports everything else as events. Follows no link out of the source.
   */
  fetch(context: FetchContext): AsyncIterable<FetchEvent>;
  /**
   * Projects everything that needs no model from the stored versions of all current items. Contract: pure, with the same result for the
   * same items. The stored texts contain the quotes verbatim.
   */
  project?(items: readonly StagedItem[], context: ProjectionContext): Projection | Promise<Projection>;
}

/** A stored item. */
export interface StagedItem extends Omit<SourceItem, "text"> {
  readonly source: string;
  /** The hash of the stored text and title. */
  readonly version: string;
  /** The length of the stored text. */
  readonly chars: number;
}
