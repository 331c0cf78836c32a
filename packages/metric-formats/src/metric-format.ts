/** The format of another tool's models, as the registry lists it. */
import type { SourcePosition } from "@bridle/protocol";
import type { ModelFile, SemanticModel } from "@bridle/semantic/model-parts";
import type { ImportFinding } from "./import-report.ts";

export interface ImportedModels {
  readonly models: readonly SemanticModel[];
  /** Constructs that were not imported, or were changed. Everything else that affects a number was imported. */
  readonly findings: readonly ImportFinding[];
  /** How often each dropped key occurs. Dropped keys do not affect numbers, such as `value_format`. */
  readonly notNeeded?: Readonly<Record<string, number>> | undefined;
  /** Returns the position of a model, or of one of its entries, in the files; undefined if the entry has no position of its own. */
  readonly placeOf?: PlaceOfEntry | undefined;
}

/** A model's lists of named entries. */
export type EntryList = "joins" | "dimensions" | "measures" | "segments" | "metrics";
export type PlaceOfEntry = (model: string, list?: EntryList, name?: string) => SourcePosition | undefined;

export interface FormatOptions {
  /** The schema of tables whose name in a file has none. */
  readonly schema?: string | undefined;
}

export interface MetricFormat {
  /** The name by which users choose the format. */
  readonly id: string;
  /** The endings of the format's files, such as `.yml`. */
  readonly endings: readonly string[];
  /** Whether a file has this format. Called only for files with one of the endings. Does not throw. */
  recognises(file: ModelFile): boolean;
  /** Reads all files of one project without executing anything in them. Does not throw for invalid files. */
  read(files: readonly ModelFile[], options: FormatOptions): ImportedModels;
}
