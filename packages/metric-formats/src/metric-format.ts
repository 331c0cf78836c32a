/** A format of another tool's models, as the registry lists it. */
import type { SourcePosition } from "@bridle/protocol";
import type { ModelFile, SemanticModel } from "@bridle/semantic/model-parts";
import type { ImportFinding } from "./import-report.ts";

export interface ImportedModels {
  readonly models: readonly SemanticModel[];
  /** Constructs that were not imported, or were changed. Nothing else that affects a number is dropped. */
  readonly findings: readonly ImportFinding[];
  /** How often each dropped key occurs that does not affect numbers, such as `value_format`. */
  readonly notNeeded?: Readonly<Record<string, number>> | undefined;
  /** The position of a model, or of one of its entries, in the files. Undefined if it has no position of its own. */
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
  /** The name that users choose the format by. */
  readonly id: string;
  /** The endings of its files, such as `.yml`. */
  readonly endings: readonly string[];
  /** Whether a file has this format. Called only for files with one of the endings. Does not throw. */
  recognises(file: ModelFile): boolean;
  /** Reads all files of one project without executing anything in them. Does not throw for invalid files. */
  read(files: readonly ModelFile[], options: FormatOptions): ImportedModels;
}
