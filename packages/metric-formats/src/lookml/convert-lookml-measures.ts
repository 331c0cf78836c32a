/** Converts a view's measures. Aggregations become measures, and values computed from measures become metrics. */
import {
  type ModelMeasure,
  type ModelMetric,
  type ParsedExpression,
  printExpression,
} from "@bridle/semantic/model-parts";
import { refuseImport } from "../import-report.ts";
import { convertFormula } from "../templates/convert-formula.ts";
import { fractionNote, mayDropFraction } from "../templates/drops-fraction.ts";
import { templateName } from "../templates/parse-template.ts";
import { blockWords, noteZone, primaryKey, withSql } from "./convert-dimensions.ts";
import { lookerFilter } from "./filters/looker-filter.ts";
import type { LookmlContext } from "./lookml-context.ts";
import type { LookmlBlock } from "./lookml-tree.ts";
import { type LookmlView, sqlOf } from "./lookml-view.ts";
import { periodOverPeriod } from "./period-over-period.ts";

export interface ConvertedMeasures {
  readonly measures: readonly ModelMeasure[];
  readonly metrics: readonly ModelMetric[];
}

/** Converts the measures. `rows` are the conditions that every explore of the view has. */
export function convertMeasures(view: LookmlView, rows: readonly string[], context: LookmlContext): ConvertedMeasures {
  const converter = new MeasureConverter(view, context);
  const found = view.measures.flatMap((block) => context.attempt(block, "field", () => converter.convert(block)) ?? []);
  const measures = found
    .flatMap((each) => each.measures)
    .map((measure) => {
      const filters = [...rows, ...(measure.filters ?? [])];
      return filters.length > 0 ? { ...measure, filters } : measure;
    });
  return { measures, metrics: found.flatMap((each) => each.metrics) };
}

const plain: Readonly<Record<string, ModelMeasure["agg"]>> = {
  count_distinct: "count_distinct",
  sum: "sum",
  average: "avg",
  min: "min",
  max: "max",
  median: "median",
};

const distinct: Readonly<Record<string, ModelMeasure["agg"]>> = {
  sum_distinct: "sum",
  average_distinct: "avg",
  median_distinct: "median",
  percentile_distinct: "median",
};

const overResult: Readonly<Record<string, string>> = {
  running_total: "Looker adds up the rows that a query shows, in their order. Use a cumulative metric.",
  percent_of_total: "Looker computes it over the rows that a query shows. Use a metric of the type share.",
  percent_of_previous: "Looker computes it over the rows that a query shows, in their order. Use an offset metric.",
  list: "A list of values is not a number. Use a dimension.",
};

class MeasureConverter {
  readonly #view: LookmlView;
  readonly #context: LookmlContext;

  constructor(view: LookmlView, context: LookmlContext) {
    this.#view = view;
    this.#context = context;
  }

  convert(block: LookmlBlock): ConvertedMeasures {
    const type = block.text("type") ?? "string";
    const refused = overResult[type];
    if (refused !== undefined) refuseImport(refused);
    if (type === "count") return this.#measure(block, { agg: "count" });
    const agg = plain[type] ?? this.#distinct(block, type) ?? this.#percentile(block, type);
    if (agg) return this.#measure(block, { agg, expr: this.#input(block) });
    if (block.parameter("filters"))
      refuseImport(`filters are not for a measure of the type ${type}. Filter the measures in it.`);
    if (type === "period_over_period")
      return { measures: [], metrics: [{ ...periodOverPeriod(block, this.#view), ...blockWords(block) }] };
    if (!["number", "int", "yesno", "string", "date", "date_time"].includes(type))
      refuseImport(`The type ${type} has no counterpart. Use an aggregation or number.`);
    return this.#formula(block);
  }

  #measure(block: LookmlBlock, { agg, expr }: Pick<ModelMeasure, "agg" | "expr">): ConvertedMeasures {
    if (agg === "count" && block.text("sql") !== undefined)
      refuseImport("A count has no sql. Use count_distinct, or remove it.");
    if (block.says("approximate")) this.#context.note(block, "It is counted exactly.");
    const filters = this.#filters(block);
    const measure = { name: block.name, agg, ...(expr !== undefined && { expr }), ...blockWords(block) };
    return { measures: [filters.length > 0 ? { ...measure, filters } : measure], metrics: [] };
  }

  #input(block: LookmlBlock): string {
    if (block.text("sql") === undefined) refuseImport("It has no sql. Add it.");
    const parsed = this.#context.fields.columns(this.#view, sqlOf(block));
    noteZone(this.#view, block, this.#context);
    if (mayDropFraction(parsed)) this.#context.note(block, fractionNote);
    return printExpression(parsed);
  }

  /**
   * Returns the aggregation that counts each key once. Refuses keys other than the primary key, because their values would belong to no
   * row.
   */
  #distinct(block: LookmlBlock, type: string): ModelMeasure["agg"] | undefined {
    const agg = distinct[type];
    if (!agg) return undefined;
    if (type === "percentile_distinct" && Number(block.text("percentile")) !== 50) refusePercentile();
    const sql = block.text("sql_distinct_key");
    const key = primaryKey(this.#view, this.#context);
    const parsed = sql === undefined ? undefined : this.#context.fields.columns(this.#view, sqlOf(withSql(block, sql)));
    const isKey = parsed?.kind === "name" && key?.length === 1 && parsed.path.join(".") === key[0];
    if (sql !== undefined && !isKey)
      refuseImport(
        "Its sql_distinct_key is not the primary key, so a value counts once for several rows. Create a view with one row for each key.",
      );
    return agg;
  }

  #percentile(block: LookmlBlock, type: string): ModelMeasure["agg"] | undefined {
    if (type !== "percentile") return undefined;
    return Number(block.text("percentile")) === 50 ? "median" : refusePercentile();
  }

  #filters(block: LookmlBlock): string[] {
    const pairs = block.parameters.flatMap(({ key, value }) => {
      if (key !== "filters") return [];
      if (value.kind === "list")
        return value.items.map(({ key: field, text }) => ({
          field: field ?? refuseImport(`The filter "${text}" has no field.`),
          text,
        }));
      if (value.kind === "text") return refuseImport('filters is not a list. Write [field: "value"].');
      const [field, text] = [value.block.text("field"), value.block.text("value")];
      if (field !== undefined && text !== undefined) return [{ field, text }];
      return refuseImport("A filter has no field or no value. Add it.");
    });
    return pairs.flatMap(({ field, text }) => {
      const parsed = lookerFilter(this.#context, this.#view, field, text);
      return parsed ? [printExpression(parsed)] : [];
    });
  }

  #formula(block: LookmlBlock): ConvertedMeasures {
    if (block.text("sql") === undefined) refuseImport("It has no sql. Add it.");
    const parsed = sqlOf(block);
    if (mayDropFraction(parsed)) this.#context.note(block, fractionNote);
    noteZone(this.#view, block, this.#context);
    const { measures, metric } = convertFormula({
      name: block.name,
      words: blockWords(block),
      parsed,
      columns: (part) => this.#context.fields.columns(this.#view, part),
      measure: (path) => this.#measureNamed(block, path),
    });
    return { measures, metrics: metric ? [metric] : [] };
  }

  #measureNamed(block: LookmlBlock, path: readonly string[]): ParsedExpression {
    const name = templateName(path);
    if (!name) return refuseImport(`${path.join(".")} is a column outside of an aggregation. Aggregate it.`);
    const target = this.#view.target(name.reference, name.columns);
    if (target.kind === "column")
      return refuseImport(`${target.column} is a column outside of an aggregation. Aggregate it.`);
    const isOwn = target.owner === undefined || target.owner === this.#view.name;
    const owner = isOwn ? this.#view : this.#context.views.get(target.owner ?? "");
    const field = owner?.field(target.field);
    if (!owner || !field) return refuseImport(`There is no measure ${name.reference.join(".")}. Correct the name.`);
    if (field.kind !== "measure")
      return refuseImport(`It uses the dimension ${target.field} outside of an aggregation. Aggregate it.`);
    if (!isOwn)
      this.#context.note(
        block,
        `${owner.name}.${target.field} counts all rows of ${owner.name}, also those that no join reaches.`,
      );
    const found: ParsedExpression = { kind: "name", path: isOwn ? [target.field] : [owner.name, target.field] };
    const isSum = ["sum", "sum_distinct"].includes(field.block.text("type") ?? "");
    const zero = { kind: "literal", type: "integer", value: "0" } as const;
    // Looker computes COALESCE(SUM(…), 0).
    return isSum ? { kind: "call", name: "coalesce", args: [found, zero], isDistinct: false } : found;
  }
}

function refusePercentile(): never {
  return refuseImport("Only the percentile 50 can be computed, which is the median. Use median.");
}
