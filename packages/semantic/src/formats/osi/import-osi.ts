/** Imports documents of the Open Semantic Interchange, which is called Apache Ossie now. */
import type { ParsedExpression } from "../../expressions/expression.ts";
import { printExpression } from "../../expressions/print-expression.ts";
import type { ModelFile } from "../../files/read-model-files.ts";
import type { ModelDimension, ModelJoin, SemanticModel } from "../../models/model-schema.ts";
import { EntryPlaces } from "../entry-places.ts";
import { type ImportFinding, ImportReport, inOrder, refuseImport } from "../import-report.ts";
import type { LocatedValue } from "../located-value.ts";
import type { PlaceOfEntry } from "../metric-format.ts";
import { yamlRoots } from "../yaml-roots.ts";
import { convertOsiMetric, parseOrRefuse } from "./convert-osi-metrics.ts";
import {
  type OsiDataset,
  type OsiExpression,
  type OsiField,
  osiDatasetSchema,
  osiFieldSchema,
  osiMetricSchema,
  osiRelationshipSchema,
} from "./osi-schema.ts";

export interface OsiImport {
  readonly models: readonly SemanticModel[];
  readonly findings: readonly ImportFinding[];
  /** Where a model or an entry of one is in the files. */
  readonly placeOf: PlaceOfEntry;
}

/** Reads the YAML or JSON of a document. Throws nothing for wrong files. */
export function importOsi(files: readonly ModelFile[]): OsiImport {
  const report = new ImportReport();
  const reader = new OsiReader(report);
  for (const file of files) {
    for (const root of yamlRoots(file, report)) for (const model of root.list("semantic_model")) reader.read(model);
  }
  return {
    models: reader.models,
    findings: inOrder(report.findings, files),
    placeOf: (...entry) => reader.places.of(...entry),
  };
}

class OsiReader {
  readonly places = new EntryPlaces();
  readonly #report: ImportReport;
  readonly #models = new Map<string, SemanticModel>();
  readonly #fields = new Map<string, ReadonlyMap<string, ParsedExpression>>();

  constructor(report: ImportReport) {
    this.#report = report;
  }

  get models(): readonly SemanticModel[] {
    return [...this.#models.values()];
  }

  read(model: LocatedValue): void {
    const datasets = model.list("datasets");
    for (const at of datasets) this.#readDataset(at);
    for (const at of model.list("relationships")) this.#readRelationship(at);
    for (const dataset of datasets) {
      const name = dataset.child("name")?.value;
      if (typeof name === "string" && this.#models.has(name))
        for (const at of dataset.list("metrics")) this.#readMetric(at, name);
    }
    for (const at of model.list("metrics")) this.#readMetric(at, undefined);
    this.#reportUnused(model, "semantic model");
  }

  #readDataset(at: LocatedValue): void {
    const dataset = at.parse(osiDatasetSchema, "dataset", this.#report);
    if (!dataset) return;
    this.#report.attempt(at.subject("dataset"), at.position, () => {
      if (this.#models.has(dataset.name)) refuseImport("Another dataset before it has the same name. Rename one.");
      if (/\s/.test(dataset.source)) refuseImport("Its source is a query. Create a view, and name it here.");
      const fields = this.#readFields(at);
      this.#fields.set(dataset.name, new Map(fields.map(({ name, parsed }) => [name, parsed])));
      this.places.set(at.position, dataset.name);
      this.#models.set(
        dataset.name,
        modelOf(
          dataset,
          fields.map(({ dimension }) => dimension),
        ),
      );
    });
    this.#reportUnused(at, "dataset");
    const unique = at.child("unique_keys");
    if (unique) this.#report.add("changed", at.subject("dataset"), "unique_keys are not kept.", unique.position);
  }

  #readFields(dataset: LocatedValue) {
    return dataset.list("fields").flatMap((at) => {
      const field = at.parse(osiFieldSchema, "field", this.#report);
      this.#reportUnused(at, "field");
      const found =
        field &&
        this.#report.attempt(at.subject("field"), at.position, () => {
          const parsed = parseOrRefuse(ansiOf(field.expression));
          const owner = dataset.child("name")?.value;
          this.places.set(at.position, String(owner), "dimensions", field.name);
          return { name: field.name, parsed, dimension: dimensionOf(field, parsed) };
        });
      return found ? [found] : [];
    });
  }

  #readRelationship(at: LocatedValue): void {
    const found = at.parse(osiRelationshipSchema, "relationship", this.#report);
    if (!found) return;
    this.#report.attempt(at.subject("relationship"), at.position, () => {
      const { name, from, to, from_columns: here, to_columns: there } = found;
      const model = this.#models.get(from) ?? refuseImport(`There is no imported dataset "${from}".`);
      if (!this.#models.has(to)) refuseImport(`There is no imported dataset "${to}".`);
      if (here.length !== there.length) refuseImport("It has different numbers of columns. Pair them.");
      const on = here.map((column, index): [string, string] => [column, there[index] ?? ""]);
      this.places.set(at.position, from, "joins", name);
      const join: ModelJoin = { name, to, on, relationship: "many_to_one" };
      this.#models.set(from, { ...model, joins: [...(model.joins ?? []), join] });
    });
    this.#reportUnused(at, "relationship");
  }

  #readMetric(at: LocatedValue, home: string | undefined): void {
    const metric = at.parse(osiMetricSchema, "metric", this.#report);
    if (!metric) return;
    this.#report.attempt(at.subject("metric"), at.position, () => {
      const source = { name: metric.name, words: wordsOf(metric), text: ansiOf(metric.expression) };
      const converted = convertOsiMetric(source, this.#fields, home);
      for (const { model, measure } of converted.measures) this.#extend(model, "measures", measure, at);
      if (converted.metric) this.#extend(converted.model, "metrics", converted.metric, at);
    });
    this.#reportUnused(at, "metric");
  }

  #extend<Key extends "measures" | "metrics">(
    name: string,
    key: Key,
    entry: NonNullable<SemanticModel[Key]>[number],
    at: LocatedValue,
  ) {
    this.places.set(at.position, name, key, entry.name);
    const model = this.#models.get(name);
    if (model) this.#models.set(name, { ...model, [key]: [...(model[key] ?? []), entry] });
  }

  #reportUnused(at: LocatedValue, kind: string): void {
    const found = at.child("custom_extensions");
    if (found) this.#report.add("changed", at.subject(kind), "custom_extensions are not kept.", found.position);
    const context = at.child("ai_context");
    for (const key of ["instructions", "examples"]) {
      const unused = context?.child(key);
      if (unused) this.#report.add("changed", at.subject(kind), `ai_context.${key} is not kept.`, unused.position);
    }
  }
}

function ansiOf({ dialects }: OsiExpression): string {
  const found = dialects.find(({ dialect }) => dialect === "ANSI_SQL")?.expression;
  const names = dialects.map(({ dialect }) => dialect).join(", ");
  return found ?? refuseImport(`It has no expression in ANSI_SQL, but in ${names}. Add one.`);
}

function modelOf(dataset: OsiDataset, dimensions: readonly ModelDimension[]): SemanticModel {
  const { name, source, primary_key: key } = dataset;
  return {
    name,
    table: source,
    ...(key?.length && { primary_key: key }),
    dimensions: [...dimensions],
    ...wordsOf(dataset),
  };
}

const types = {
  ...({ String: "string", Integer: "number", Decimal: "number", Float: "number", Boolean: "boolean" } as const),
  ...({ Date: "date", DateTime: "timestamp", DateTimeTz: "timestamp", Time: undefined, Opaque: undefined } as const),
};

function dimensionOf(field: OsiField, parsed: ParsedExpression): ModelDimension {
  const isColumn = parsed.kind === "name" && parsed.path.join(".") === field.name;
  const type = field.datatype ? types[field.datatype] : field.dimension?.is_time ? "time" : undefined;
  const expr = isColumn ? {} : { expr: printExpression(parsed) };
  return { name: field.name, ...expr, ...(type && { type }), ...wordsOf(field) };
}

function wordsOf({ description, ai_context: context }: Pick<OsiField, "description" | "ai_context">) {
  const synonyms = typeof context === "object" ? context.synonyms : undefined;
  return {
    ...(description?.trim() && { description: description.trim() }),
    ...(synonyms?.length && { synonyms }),
  };
}
