import type { RecordOptions } from "./record-options.ts";

/** What a document is made of, in the order in which it is read. */
export interface Block {
  readonly kind: "heading" | "paragraph" | "list" | "code" | "table" | "record";
  /** As the source has it where the source is text; else what is read there. */
  readonly text: string;
  /** Of a heading, from 1. */
  readonly depth?: number;
  /** Lines of the source, from 1; missing where the source has none, as in a PDF. */
  readonly lines?: LineRange;
  /** From 1, where the source has pages. */
  readonly page?: number;
  /** Of a table: what stands before its first row, to be said again where the table is split. */
  readonly head?: string;
}

export interface LineRange {
  readonly from: number;
  readonly to: number;
}

/** A file that is to be read. */
export interface DocumentFile {
  /** Its ending says what it is. */
  readonly name: string;
  readonly bytes: Uint8Array;
}

/** Contract: loses no text that a reader of the document sees. Throws DocumentError for a file that is damaged. */
export type Parser = (file: DocumentFile, records?: RecordOptions) => readonly Block[] | Promise<readonly Block[]>;
