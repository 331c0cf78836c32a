import type { ParseLimits } from "./parse-limits.ts";
import type { RecordOptions } from "./record-options.ts";

/** A part of a document, such as a paragraph. Blocks are in reading order. */
export interface Block {
  readonly kind: "heading" | "paragraph" | "list" | "code" | "table" | "record";
  /** The exact text of a text file, or in other formats, the text that a reader sees. */
  readonly text: string;
  /** The level of a heading, from 1. */
  readonly depth?: number;
  /** The lines of the source, or rows of a sheet, from 1. Missing for formats without lines, such as PDF. */
  readonly lines?: LineRange;
  /** The page or slide, from 1, for formats with pages. */
  readonly page?: number;
  /** The header of a table, which is repeated if the table is split. */
  readonly head?: string;
}

export interface LineRange {
  readonly from: number;
  readonly to: number;
}

/** The content of a file. */
export interface DocumentFile {
  /** The file name, whose extension determines the format. */
  readonly name: string;
  readonly bytes: Uint8Array;
}

export interface ParseContext {
  readonly limits: ParseLimits;
  readonly records: RecordOptions;
  /** Reports skipped or doubtful content. The message completes a sentence that begins with the file name. */
  warn(problem: string): void;
}

/**
 * Contract: keeps all text that a reader of the document sees, or warns. Throws DocumentError if a document is damaged or exceeds the
 * limits.
 */
export type Parser = (file: DocumentFile, context: ParseContext) => readonly Block[] | Promise<readonly Block[]>;
