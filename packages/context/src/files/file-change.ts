import type { JoinEnd, StatedRelationship } from "../facts/facts.ts";
import type { NoteSource } from "./table-file-schema.ts";
import type { JoinDecision } from "./table-notes.ts";

/** A change of one entry of a file. */
export type FileChange =
  | {
      readonly kind: "description";
      /** `connection.schema.table`, or with a column. */
      readonly subject: string;
      readonly text: string;
      /** The document from which the text was taken. */
      readonly from?: string | undefined;
    }
  | { readonly kind: "hidden"; readonly subject: string; readonly hidden: boolean }
  | { readonly kind: "sensitive" /** `connection.schema.table.column` */; readonly subject: string }
  | {
      readonly kind: "join";
      readonly from: JoinEnd;
      readonly to: JoinEnd;
      readonly status: JoinDecision["status"];
      readonly relationship?: StatedRelationship | undefined;
      readonly condition?: string | undefined;
    };

/** Who changes something, and why. */
export interface ChangeAuthor {
  readonly source: NoteSource;
  /** The author's name, such as an agent's. Default: the source. */
  readonly name?: string | undefined;
  /** The reason in one sentence. Required unless a user makes the change. */
  readonly reason?: string | undefined;
}

/** The result of a change. */
export interface ChangeResult {
  /** Whether the change was made. False if the file already has this content, or if its content comes from a stronger source. */
  readonly isApplied: boolean;
  /** Why the change was not applied. */
  readonly message?: string | undefined;
  /** The file, relative to the project. */
  readonly file: string;
  /** The commit, if one was made. */
  readonly commit?: string | undefined;
  /** Why no commit was made, if one should have been. */
  readonly commitProblem?: string | undefined;
}
