import type { ParseLimits } from "./parse-limits.ts";
import type { RecordOptions } from "./record-options.ts";

/** A part of a document, such as a paragraph. Blocks are in reading order. */
export interface Block {
  readonly kind: "heading" | "paragraph" | "list" | "code" | "table" | "record";
  /** The exact text of a text file; for other formats the text that a reader sees. */
  readonly text: string;
  /** The level of a heading, from 1. */
  readonly depth?: number;
  /** Lines of the source, or rows of a sheet, from 1. Missing for formats without lines, such as PDF. */
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
  /** The ending decides the format. */
  readonly name: string;
  readonly bytes: Uint8Array;
}

export interface ParseContext {
  readonly limits: ParseLimits;
  readonly records: RecordOptions;
  /** Reports something that is left out or doubtful: the rest of a sentence that begins with the name of the file. */
  warn(problem: string): void;
}

/**
 * Contract: keeps all text that a reader of the document sees, or warns. Throws DocumentError for a damaged file, and for
 * one that exceeds the limits.
 */
export type Parser = (file: DocumentFile, context: ParseContext) => readonly Block[] | Promise<readonly Block[]>;
