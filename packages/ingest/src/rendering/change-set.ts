/** Describes the changes that a run would make to the files of a project. */
import type { Claim } from "../claims/claim.ts";
import type { RemovedThing } from "../claims/decisions/decision-schema.ts";
import type { DecisionNote } from "../curation/resolution/pins.ts";
import type { WrittenEntries } from "./written-record.ts";

export const plannedKinds = ["page", "model", "tables", "decisions", "memory"] as const;

/** A file with its current and its planned content. */
export interface PlannedFile {
  /** The path relative to the project, with slashes. */
  readonly file: string;
  readonly kind: (typeof plannedKinds)[number];
  /** The current text; undefined if the file does not exist. */
  readonly before: string | undefined;
  /** The planned text; undefined if the file is removed. */
  readonly after: string | undefined;
  /** The changes in the file, for display. */
  readonly changes: readonly PlannedEntry[];
}

/** An entry for the list of changes. */
export interface PlannedEntry {
  /** The changed page, table, column, join, or entry of a model. */
  readonly subject: string;
  readonly kind: string;
  /** The old content as JSON. Undefined if the subject is new. */
  readonly before?: string | undefined;
  /** The new content as JSON. */
  readonly after: string;
}

/**
 * `removed`, `edited`: a user removed or edited something, and ingest leaves it that way. `kept`: a user's text stays although documents
 * contradict it or no longer mention it.
 */
export const planNoteKinds = [
  "removed",
  "edited",
  "kept",
  "contested",
  "unchecked",
  "left-out",
  "copy",
  "unreadable",
] as const;

/** A note for users about a file. */
export interface PlanNote {
  readonly kind: (typeof planNoteKinds)[number];
  /** The path relative to the project. */
  readonly file: string;
  /** The note in one sentence. */
  readonly message: string;
}

/** The files of one kind. */
export interface PlannedPart {
  /** The files with changes. */
  readonly files: readonly PlannedFile[];
  /** The entries of each file after the run, whether it changes or not. */
  readonly written: ReadonlyMap<string, WrittenEntries>;
  /** What users have removed since the last run. */
  readonly removed: readonly RemovedThing[];
  readonly notes: readonly PlanNote[];
}

export interface ChangeSet {
  /** The claims, with the names of their pages. */
  readonly claims: readonly Claim[];
  /** The files with changes, by name. */
  readonly files: readonly PlannedFile[];
  /** The entries of each file after the run. */
  readonly written: ReadonlyMap<string, WrittenEntries>;
  /** The entries of each file before the run. */
  readonly writtenBefore: ReadonlyMap<string, WrittenEntries>;
  /** The texts of the decisions file and of the record of written entries on which the plan is based. */
  readonly decisionsText: string;
  readonly writtenText: string;
  readonly notes: readonly PlanNote[];
  readonly decisionNotes: readonly DecisionNote[];
}
