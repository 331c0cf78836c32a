import type { TablePath } from "./identifiers.ts";

/** An entry that a search finds. */
export interface SearchEntry {
  /** Unique among the entries of its kind. */
  readonly id: string;
  /** A string that differs if any part of the entry differs. */
  readonly fingerprint: string;
  /** A caller that may not see one of these tables does not find the entry. */
  readonly tables: readonly TablePath[];
  readonly fields: readonly EntryField[];
  /** All entries of a group appear as one hit with this id. Default: each entry is a separate hit. */
  readonly group?: string | undefined;
  /** The position of the entry in its group. */
  readonly part?: number | undefined;
  /** Whether the entry is found even if one of its tables was not scanned. Default: false. */
  readonly needsNoScan?: boolean | undefined;
  /** The text to embed; undefined if the entry is found by words only. */
  readonly meaning?: string | undefined;
}

interface EntryField {
  readonly texts: readonly string[];
  /** The weight of each word of the field. */
  readonly weight: number;
  /** The usual number of words. In a longer field, each word counts less. */
  readonly usualLength: number;
}

/** A kind of search entry, such as tables. To add a kind, add its definition to the list of kinds. */
export interface EntryKind {
  readonly kind: string;
  /** Yields all current entries. */
  entries(): Iterable<SearchEntry>;
}
