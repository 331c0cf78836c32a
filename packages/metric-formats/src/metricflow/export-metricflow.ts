/** Writes models as MetricFlow semantic models and metrics, by the specification of dbt 1.9 to 1.11. */

import {
  type ModelDimension,
  type ModelMeasure,
  parseExpression,
  type SemanticModel,
} from "@bridle/semantic/model-parts";
import { stringify } from "yaml";
import { dayComparison, hasDayComparison } from "../day-comparison.ts";
import { type ExportedText, ExportReport, refuseExport } from "../export-report.ts";
import { MetricFormulas, onlyColumns } from "../metric-formulas.ts";
import { type PlainModel, toPlainModel } from "../plain-models.ts";
import { ExportedEntities } from "./export-entities.ts";
import { MetricFlowMetrics } from "./export-metrics.ts";
import { ProjectNames, requireMetricFlowName } from "./export-names.ts";
import { metricFlowSql, withoutTemplate, wordsOfMetricFlow } from "./export-words.ts";

export function exportMetricFlow(all: readonly SemanticModel[]): ExportedText {
  const report = new ExportReport();
  const models = all.map(toPlainModel);
  const named = models.filter(({ name, table }) => report.attempt(name, "model", () => checkedName(name, table)));
  const writer = new MetricFlowWriter(named, report);
  const semanticModels = named.map((model) => writer.model(model));
  const metrics = named.flatMap((model) => writer.metrics.of(model));
  const document = { semantic_models: semanticModels, ...(metrics.length > 0 && { metrics }) };
  return { text: stringify(document, { lineWidth: 0, aliasDuplicateObjects: false }), findings: report.findings };
}

/** Returns the name of a model, if its table can be written as a ref. */
function checkedName(name: string, table = name): string {
  if (/['"\\]/.test(withoutTemplate(table, "The name of its table")))
    refuseExport(`The name of its table ${table} has a quote.`);
  return requireMetricFlowName(name);
}

class MetricFlowWriter {
  readonly metrics: MetricFlowMetrics;
  readonly #report: ExportReport;
  readonly #entities: ExportedEntities;
  readonly #formulas: MetricFormulas;
  readonly #names: ProjectNames;

  constructor(models: readonly PlainModel[], report: ExportReport) {
    this.#report = report;
    this.#entities = new ExportedEntities(models, report);
    this.#formulas = new MetricFormulas(models);
    this.#names = new ProjectNames(models);
    this.metrics = new MetricFlowMetrics(models, this.#entities, this.#names, report);
  }

  model(model: PlainModel) {
    this.#reportWords(model);
    const entities = this.#entities.of(model);
    if (entities.length > 0) {
      const names = entities.map(({ name }) => name).join(", ");
      this.#report.change(model.name, "entities", `They are dimensions too after an import: ${names}.`);
    }
    const dimensions = this.#report.each(model.name, "dimension", model.dimensions, (each) =>
      this.#dimension(each, model),
    );
    const time = dimensions.find(({ name, type }) => name === model.default_time && type === "time")?.name;
    if (model.default_time !== undefined && time === undefined)
      this.#report.refuse(model.name, "default_time", `${model.default_time} is not an exported time.`);
    const measures = this.#report.each(model.name, "measure", model.measures, (each) =>
      this.#measure(each, model, time),
    );
    const table = model.table?.split(".").at(-1) ?? model.name;
    return {
      name: model.name,
      ...wordsOfMetricFlow(model, this.#report, model.name),
      model: `ref('${table}')`,
      ...(time !== undefined && { defaults: { agg_time_dimension: time } }),
      ...(entities.length > 0 && { entities }),
      ...(dimensions.length > 0 && { dimensions }),
      ...(measures.length > 0 && { measures }),
    };
  }

  #reportWords(model: SemanticModel): void {
    const { name, table, sql, connection, synonyms } = model;
    if (sql !== undefined)
      this.#report.change(
        name,
        undefined,
        `Its sql is left out. Make it a dbt model ${name}, which it refers to there.`,
      );
    if (table?.includes("."))
      this.#report.change(
        name,
        undefined,
        `Its table ${table} is a ref there. dbt knows the schema, and an import has --schema.`,
      );
    if (connection !== undefined) this.#report.change(name, undefined, "Its connection is left out.");
    if (synonyms !== undefined) this.#report.change(name, undefined, "Its synonyms are left out.");
    for (const segment of model.segments ?? [])
      this.#report.refuse(name, `segment ${segment.name}`, "There are no segments there. Use a metric with a filter.");
  }

  #dimension(dimension: ModelDimension, model: SemanticModel) {
    const { type, grain } = dimension;
    const name = requireMetricFlowName(dimension.name);
    const subject = `dimension ${name}`;
    const parsed = onlyColumns(parseExpression(dimension.expr ?? `"${name}"`), model, false);
    if (this.#entities.of(model).some((each) => each.name === name))
      return refuseExport("An entity has the same name, and is a dimension too. Rename one.");
    if (dimension.synonyms !== undefined) this.#report.change(model.name, subject, "Its synonyms are left out.");
    const isColumn = parsed.kind === "name" && parsed.path.join(".") === name;
    const basic = {
      name,
      ...(!isColumn && { expr: metricFlowSql(parsed) }),
      ...wordsOfMetricFlow(dimension, this.#report, model.name, subject),
    };
    const isTime =
      grain !== undefined || ["date", "timestamp", "time"].includes(type ?? "") || name === model.default_time;
    if (!isTime) {
      if (type !== undefined) this.#report.change(model.name, subject, `Its type ${type} is left out.`);
      return { ...basic, type: "categorical" };
    }
    const stored = grain ?? (type === "date" ? "day" : "second");
    const isSame = (type === "time" && grain !== undefined) || (type === "timestamp" && grain === undefined);
    if (!isSame) this.#report.change(model.name, subject, `It is a time by ${stored} there.`);
    return { ...basic, type: "time", type_params: { time_granularity: stored } };
  }

  #measure(measure: ModelMeasure, model: SemanticModel, time: string | undefined) {
    const subject = `measure ${measure.name}`;
    const name = this.#names.of(model, measure.name);
    if (time === undefined) refuseExport("A measure needs the default time of its model there. Add default_time.");
    const { semi_additive: semiAdditive, ...plain } = measure;
    const { expression } = this.#formulas.ofMeasure(model, plain);
    const [arg] = expression.kind === "call" ? expression.args : [];
    const nonAdditive = semiAdditive && {
      name: semiAdditive.time,
      window_choice: semiAdditive.pick === "last" ? "max" : "min",
      ...(semiAdditive.per && { window_groupings: semiAdditive.per.map((column) => this.#entityOver(column, model)) }),
    };
    const change = (reason: string) => this.#report.change(model.name, subject, reason);
    if (name !== measure.name) change(`It is called ${name}, as names are unique in a project.`);
    if (measure.filters?.length) change("Its filters are within its expression.");
    if (measure.format !== undefined) change("Its format is left out.");
    if (measure.synonyms !== undefined) change("Its synonyms are left out.");
    if (hasDayComparison(expression, model)) change(dayComparison);
    this.metrics.addMeasure(model, measure);
    return {
      name,
      agg: measure.agg === "avg" ? "average" : measure.agg,
      expr: arg ? metricFlowSql(arg) : "1",
      ...wordsOfMetricFlow(measure, this.#report, model.name, subject),
      ...(nonAdditive && { non_additive_dimension: nonAdditive }),
    };
  }

  #entityOver(column: string, model: SemanticModel): string {
    const found = this.#entities.of(model).find(({ expr }) => expr === column)?.name;
    return (
      found ??
      refuseExport(`The column ${column} is not an entity, but semi-additive measures need one. Declare a join.`)
    );
  }
}
