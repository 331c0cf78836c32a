/** Reads one semantic model of a document, whose datasets become models. */
import { type ModelDimension, type ModelJoin, printExpression, type SemanticModel } from "@bridle/semantic/model-parts";
import type { EntryPlaces } from "../entry-places.ts";
import { type ImportReport, refuseImport } from "../import-report.ts";
import type { LocatedValue } from "../located-value.ts";
import { ImportedDataset } from "./imported-dataset.ts";
import { parseOsiExpression } from "./osi-expressions.ts";
import { OsiMetrics } from "./osi-metrics.ts";
import { osiDatasetSchema, osiFieldSchema, osiMetricSchema, osiRelationshipSchema } from "./osi-schema.ts";
import { osiWordsOf, reportUnused, standardSqlOf } from "./osi-words.ts";

export interface OsiReading {
  readonly report: ImportReport;
  readonly places: EntryPlaces;
  /** The names of datasets in all semantic models, which become model names. */
  readonly taken: Set<string>;
}

export class OsiModelReader {
  readonly #model: LocatedValue;
  readonly #reading: OsiReading;
  readonly #datasets = new Map<string, ImportedDataset>();

  constructor(model: LocatedValue, reading: OsiReading) {
    this.#model = model;
    this.#reading = reading;
  }

  read(): readonly SemanticModel[] {
    for (const at of this.#model.list("datasets")) this.#readDataset(at);
    this.#readRelationships();
    for (const dataset of this.#datasets.values()) dataset.reportKeys(this.#reading.report);
    this.#readMetrics();
    return [...this.#datasets.values()].map(({ model }) => model);
  }

  #readDataset(at: LocatedValue): void {
    const { report, places, taken } = this.#reading;
    const source = at.parse(osiDatasetSchema, "dataset", report);
    if (!source) return;
    report.attempt(at.subject("dataset"), at.position, () => {
      if (taken.has(source.name)) refuseImport("Another dataset before it has the same name. Rename one.");
      const dataset = new ImportedDataset(source, at);
      taken.add(source.name);
      this.#datasets.set(source.name, dataset);
      places.set(at.position, source.name);
      for (const each of at.list("fields")) this.#readField(each, dataset);
    });
    reportUnused(at, "dataset", report);
  }

  #readField(at: LocatedValue, dataset: ImportedDataset): void {
    const { report, places } = this.#reading;
    const field = at.parse(osiFieldSchema, "field", report);
    if (!field) return;
    report.attempt(at.subject("field"), at.position, () => {
      if (dataset.fields.has(field.name)) refuseImport("Another field before it has the same name. Rename one.");
      const parsed = dataset.inline(parseOsiExpression(standardSqlOf(field.expression)));
      const isColumn = parsed.kind === "name" && parsed.path.join(".") === field.name;
      const expr = isColumn ? {} : { expr: printExpression(parsed) };
      const dimension: ModelDimension = { name: field.name, ...expr, ...typeOf(field), ...osiWordsOf(field) };
      const label = field.label?.trim() ?? "";
      dataset.addField(label === "" ? dimension : { ...dimension, label }, parsed);
      places.set(at.position, dataset.name, "dimensions", field.name);
    });
    reportUnused(at, "field", report);
  }

  #readRelationships(): void {
    const { report, places } = this.#reading;
    const names = new Set<string>();
    for (const at of this.#model.list("relationships")) {
      const found = at.parse(osiRelationshipSchema, "relationship", report);
      if (!found) continue;
      report.attempt(at.subject("relationship"), at.position, () => {
        const { name, from, to, from_columns: here, to_columns: there } = found;
        if (names.has(name)) refuseImport("Another relationship before it has the same name. Rename one.");
        names.add(name);
        const [near, far] = [this.#dataset(from), this.#dataset(to)];
        if (here.length !== there.length) refuseImport("It has different numbers of columns. Pair them.");
        const on = here.map((column, index): [string, string] => [column, there[index] ?? ""]);
        far.hasKey(there);
        const relationship = near.hasKey(here) ? "one_to_one" : "many_to_one";
        const join: ModelJoin = { ...(name !== to && { name }), to, on, relationship, ...osiWordsOf(found) };
        near.add("joins", join);
        places.set(at.position, from, "joins", name);
      });
      reportUnused(at, "relationship", report);
    }
  }

  #readMetrics(): void {
    const { report, places } = this.#reading;
    const metrics = new OsiMetrics(this.#datasets, places);
    for (const dataset of this.#datasets.values())
      for (const at of dataset.at.list("metrics")) this.#readMetric(at, dataset, metrics);
    for (const at of this.#model.list("metrics")) this.#readMetric(at, undefined, metrics);
    metrics.convertAll(report);
  }

  #readMetric(at: LocatedValue, home: ImportedDataset | undefined, metrics: OsiMetrics): void {
    const { report } = this.#reading;
    const metric = at.parse(osiMetricSchema, "metric", report);
    if (!metric) return;
    report.attempt(at.subject("metric"), at.position, () => metrics.add({ metric, at, home }));
    reportUnused(at, "metric", report);
    const type = at.child("datatype");
    if (type)
      report.add("changed", at.subject("metric"), "Its datatype is not kept: it follows from the data.", type.position);
  }

  #dataset(name: string): ImportedDataset {
    return this.#datasets.get(name) ?? refuseImport(`There is no imported dataset "${name}" in this semantic model.`);
  }
}

const types = {
  String: "string",
  Integer: "number",
  Decimal: "number",
  Float: "number",
  Boolean: "boolean",
  Date: "date",
  DateTime: "timestamp",
  DateTimeTz: "timestamp",
  Time: undefined,
  Opaque: undefined,
} as const;

/** Returns the declared type. A time's role does not determine its type, so the type comes from the scan. */
function typeOf({ datatype }: { readonly datatype?: keyof typeof types }): Pick<ModelDimension, "type"> {
  const type = datatype && types[datatype];
  return type === undefined ? {} : { type };
}
