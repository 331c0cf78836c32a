/** Imports models in any format. All imported entries can be used without a problem. */
import type { ModelFile, SemanticFacts, SemanticModel } from "@bridle/semantic/model-parts";
import { ImportReport, inOrder } from "./import-report.ts";
import type { FormatOptions, ImportedModels, MetricFormat } from "./metric-format.ts";
import { metricFormats } from "./registry.ts";
import { UsableModels } from "./usable-models.ts";

/** A model with its columns, and with the local name of its table. */
interface PlacedImport {
  readonly model: SemanticModel;
  /** The columns; undefined if they are unknown because the rows come from a statement. */
  readonly columns?: NonNullable<SemanticFacts["columns"]>[string] | undefined;
}

/** Finds the table of a model. Returns a sentence if the table does not exist, and undefined if nothing is known about tables. */
export type PlaceModel = (model: SemanticModel) => PlacedImport | string | undefined;

export interface ImportOptions extends FormatOptions {
  /** The connection to write into the models. Default: none. */
  readonly connection?: string | undefined;
  readonly placeModel?: PlaceModel | undefined;
}

/** Returns the formats of the files. */
export function recogniseFormats(files: readonly ModelFile[]): readonly MetricFormat[] {
  return metricFormats.filter((format) => files.some((file) => hasEnding(format, file) && format.recognises(file)));
}

/** Whether a file has one of the format's file extensions. */
export function hasEnding({ endings }: MetricFormat, { file }: Pick<ModelFile, "file">): boolean {
  return endings.some((ending) => file.toLowerCase().endsWith(ending));
}

/** Imports models, and lists everything that cannot be imported in the findings. Does not throw for invalid files. */
export function importMetricModels(
  format: MetricFormat,
  files: readonly ModelFile[],
  options: ImportOptions = {},
): ImportedModels {
  const { connection, placeModel = () => undefined } = options;
  const imported = format.read(
    files.filter((file) => hasEnding(format, file)),
    options,
  );
  const report = new ImportReport();
  for (const { kind, subject, reason, position } of imported.findings) report.add(kind, subject, reason, position);
  const models = imported.models.map((model) => (connection === undefined ? model : { ...model, connection }));
  const usable = new UsableModels(models, report, imported.placeOf ?? (() => undefined));
  const columns: Record<string, NonNullable<PlacedImport["columns"]>> = {};
  for (const model of usable.models) {
    const placed = placeModel(model);
    if (typeof placed === "string") usable.remove(model, placed);
    else if (placed) {
      if (placed.columns) columns[model.name] = placed.columns;
      usable.replace(model, placed.model);
    }
  }
  const found = usable.find({ columns });
  const { notNeeded, placeOf } = imported;
  return { models: found, findings: inOrder(report.findings, files), notNeeded, placeOf };
}
