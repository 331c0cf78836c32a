/** Writes models as an Open Semantic Interchange document, version 0.2.0.dev0. */

import {
  type ModelDimension,
  type ModelMeasure,
  type ModelMetric,
  parseExpression,
  type SemanticModel,
} from "@bridle/semantic/model-parts";
import { stringify } from "yaml";
import { dayComparison, hasDayComparison, isDayOrMore } from "../day-comparison.ts";
import { type ExportedText, ExportReport, refuseExport } from "../export-report.ts";
import { MetricFormulas, onlyColumns } from "../metric-formulas.ts";
import { type PlainModel, toPlainModel } from "../plain-models.ts";
import { printStandardSql } from "../standard-sql.ts";
import { OsiMetricPlaces } from "./export-metrics.ts";
import { osiRelationships } from "./export-relationships.ts";
import { inStandardSql, wordsOfOsi } from "./osi-values.ts";

/** Exports models. Each connection becomes one semantic model, because joins do not cross connections. */
export function exportOsi(all: readonly SemanticModel[]): ExportedText {
  const report = new ExportReport();
  const groups = Map.groupBy(all.map(toPlainModel), ({ connection }) => connection);
  const document = {
    version: "0.2.0.dev0",
    semantic_model: [...groups].map(([connection, own]) => new OsiWriter(own, report).write(connection ?? "models")),
  };
  return { text: stringify(document, { lineWidth: 0, aliasDuplicateObjects: false }), findings: report.findings };
}

class OsiWriter {
  readonly #models: readonly PlainModel[];
  readonly #report: ExportReport;
  readonly #formulas: MetricFormulas;

  constructor(models: readonly PlainModel[], report: ExportReport) {
    this.#models = models;
    this.#report = report;
    this.#formulas = new MetricFormulas(models);
  }

  write(name: string) {
    const { relationships, keys } = osiRelationships(this.#models, this.#report);
    const places = new OsiMetricPlaces(this.#report);
    for (const model of this.#models) this.#addMetrics(model, places);
    const datasets = this.#models.map((model) => ({
      name: model.name,
      source: model.table ?? model.sql,
      ...(model.primary_key && { primary_key: model.primary_key }),
      ...listOf("unique_keys", keys.get(model.name) ?? []),
      ...wordsOfOsi(model),
      ...listOf("fields", this.#fields(model)),
      ...listOf("metrics", places.of(model.name)),
    }));
    return {
      name,
      datasets,
      ...listOf("relationships", relationships),
      ...listOf("metrics", places.across),
    };
  }

  #fields(model: SemanticModel) {
    if (model.connection !== undefined)
      this.#report.change(model.name, undefined, "Its connection is only the name of the semantic model there.");
    if (model.label !== undefined)
      this.#report.change(model.name, undefined, "Its label is left out: a dataset has none.");
    if (model.default_time !== undefined)
      this.#report.refuse(model.name, "default_time", "A dataset has no default time there.");
    for (const { name } of model.segments ?? [])
      this.#report.refuse(model.name, `segment ${name}`, "There are no segments there. Use a metric with a filter.");
    return this.#report.each(model.name, "dimension", model.dimensions, (dimension) => this.#field(dimension, model));
  }

  #field(dimension: ModelDimension, model: SemanticModel) {
    const { name, expr, label } = dimension;
    const parsed = expr === undefined ? undefined : onlyColumns(parseExpression(expr), model, false);
    const isTime = dimension.grain !== undefined || ["date", "timestamp", "time"].includes(dimension.type ?? "");
    return {
      name,
      expression: inStandardSql(printStandardSql(parsed ?? { kind: "name", path: [name] })),
      ...(isTime && { dimension: { is_time: true } }),
      ...this.#datatype(dimension, model),
      ...(label !== undefined && { label }),
      ...wordsOfOsi(dimension),
    };
  }

  #datatype({ name, type, grain }: ModelDimension, model: SemanticModel): { datatype?: string } {
    const change = (reason: string) => this.#report.change(model.name, `dimension ${name}`, reason);
    if (grain !== undefined) change(`Its grain ${grain} is left out: fields have none there.`);
    if (type === "number")
      change("Its type number is left out: integers, decimals and floats are different types there.");
    if (type === "time") change("Its type is written as that of its grain.");
    if (type === "time") return { datatype: isDayOrMore(grain) ? "Date" : "DateTime" };
    const found = type && datatypes[type];
    return found === undefined ? {} : { datatype: found };
  }

  #addMetrics(model: PlainModel, places: OsiMetricPlaces): void {
    const dimensions = new Set(model.dimensions?.map(({ name }) => name));
    const add = (kind: string, entry: ModelMeasure | ModelMetric) => {
      if (dimensions.has(entry.name))
        refuseExport("A dimension has the same name, which is not allowed there. Rename one.");
      const formula = "agg" in entry ? this.#formulas.ofMeasure(model, entry) : this.#formulas.ofMetric(model, entry);
      places.add(model, kind, entry, formula);
      if (hasDayComparison(formula.expression, model))
        this.#report.change(model.name, `${kind} ${entry.name}`, dayComparison);
      for (const key of ["label", "format"] as const)
        if (entry[key] !== undefined)
          this.#report.change(model.name, `${kind} ${entry.name}`, `Its ${key} is left out.`);
    };
    this.#report.each(model.name, "measure", model.measures, (measure) => add("measure", measure));
    this.#report.each(model.name, "metric", model.metrics, (metric) => add("metric", metric));
  }
}

const datatypes: Readonly<Record<string, string>> = {
  string: "String",
  boolean: "Boolean",
  date: "Date",
  timestamp: "DateTime",
};

function listOf<Entry>(key: string, list: readonly Entry[]): Readonly<Record<string, readonly Entry[]>> {
  return list.length > 0 ? { [key]: list } : {};
}
