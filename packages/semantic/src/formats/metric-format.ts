/** The models of another tool, as the registry knows it. */
import type { SourcePosition } from "@bridle/protocol";
import type { ModelFile } from "../files/read-model-files.ts";
import type { SemanticModel } from "../models/model-schema.ts";
import type { ImportFinding } from "./import-report.ts";

export interface ImportedModels {
  readonly models: readonly SemanticModel[];
  /** What was not taken over, or differs. Nothing else that changes a number is dropped. */
  readonly findings: readonly ImportFinding[];
  /** How often each key occurs that changes no number and was dropped, such as `value_format`. */
  readonly notNeeded?: Readonly<Record<string, number>> | undefined;
  /** Where a model, or an entry of one, is in the files. Undefined if it has no place of its own. */
  readonly placeOf?: PlaceOfEntry | undefined;
}

/** The lists of a model that have entries with names. */
export type EntryList = "joins" | "dimensions" | "measures" | "segments" | "metrics";
export type PlaceOfEntry = (model: string, list?: EntryList, name?: string) => SourcePosition | undefined;

export interface FormatOptions {
  /** The schema of tables that a file names without one. */
  readonly schema?: string | undefined;
}

export interface MetricFormat {
  /** As a user names it. */
  readonly id: string;
  /** The endings of its files, such as `.yml`. */
  readonly endings: readonly string[];
  /** Whether a file is one of this format. It is asked only for files with one of the endings, and throws nothing. */
  recognises(file: ModelFile): boolean;
  /** Reads all files of one project. Nothing in them is executed. Throws nothing for wrong files. */
  read(files: readonly ModelFile[], options: FormatOptions): ImportedModels;
}
