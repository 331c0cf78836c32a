/** Converts a cube's measures. Aggregations become measures, and values computed from measures become metrics. */
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
import { type DimensionsOfModels, shadowedColumn } from "../templates/shadowed-column.ts";
import { type CubeContext, memberWords } from "./cube-context.ts";
import { type CubeModel, sqlOfMember } from "./cube-model.ts";
import type { CubeNode } from "./cube-node.ts";
import { spanBehind } from "./rolling-window.ts";
import { shiftOf } from "./time-shift.ts";

interface Converted {
  readonly measures: readonly ModelMeasure[];
  readonly metrics: readonly ModelMetric[];
}

export function convertCubeMeasures(cube: CubeModel, dimensions: DimensionsOfModels, context: CubeContext): Converted {
  const converter = new CubeMeasures(cube, dimensions, context);
  const found = cube.source.measures.flatMap(
    (node) => context.attempt(node, "measure", () => converter.convert(node)) ?? [],
  );
  return { measures: found.flatMap((each) => each.measures), metrics: found.flatMap((each) => each.metrics) };
}

const aggregations: Readonly<Record<string, ModelMeasure["agg"]>> = {
  count: "count",
  count_distinct: "count_distinct",
  countDistinct: "count_distinct",
  sum: "sum",
  count_distinct_approx: "count_distinct",
  countDistinctApprox: "count_distinct",
  avg: "avg",
  min: "min",
  max: "max",
};

const formulas = ["number", "string", "time", "boolean", "number_agg", "numberAgg"];

const refusedTypes: Readonly<Record<string, string>> = {
  running_total: "Cube adds up the rows of the result. Use rolling_window with trailing: unbounded.",
  runningTotal: "Cube adds up the rows of the result. Use rolling_window with trailing: unbounded.",
  rank: "A rank is not supported. Order and limit the query.",
};

class CubeMeasures {
  readonly #cube: CubeModel;
  readonly #dimensions: DimensionsOfModels;
  readonly #context: CubeContext;

  constructor(cube: CubeModel, dimensions: DimensionsOfModels, context: CubeContext) {
    this.#cube = cube;
    this.#dimensions = dimensions;
    this.#context = context;
  }

  convert(node: CubeNode): Converted {
    const type = node.text("type") ?? refuseImport("It has no type. Add it.");
    const refused = refusedTypes[type];
    if (refused !== undefined) refuseImport(refused);
    const agg = aggregations[type];
    if (agg) return this.#aggregation(node, agg, type);
    if (!formulas.includes(type)) refuseImport(`The type ${type} has no counterpart. Use an aggregation or number.`);
    return this.#formula(node);
  }

  #aggregation(node: CubeNode, agg: ModelMeasure["agg"], type: string): Converted {
    if (node.isTrue("multi_stage"))
      refuseImport("An aggregation over aggregated rows is not supported. Create a view with these rows.");
    if (node.child("time_shift"))
      refuseImport("time_shift needs a measure of the type number over another one. Write it so.");
    const parsed = this.#input(node, agg);
    if (/approx/i.test(type)) this.#context.note(node, "measure", "It is counted exactly.");
    if (parsed && mayDropFraction(parsed)) this.#context.note(node, "measure", fractionNote);
    const window = node.child("rolling_window");
    if (!window) return { measures: [this.#measure(node.name, agg, parsed, node)], metrics: [] };
    const { span, note } = spanBehind(window);
    if (note !== undefined) this.#context.note(node, "measure", note);
    const base = this.#measure(`${node.name}__measure`, agg, parsed, node);
    const metric: ModelMetric = {
      type: "cumulative",
      name: node.name,
      measure: base.name,
      ...span,
      ...memberWords(node),
    };
    const { label: _, description: __, ...hidden } = base;
    return { measures: [hidden], metrics: [metric] };
  }

  #input(node: CubeNode, agg: ModelMeasure["agg"]): ParsedExpression | undefined {
    if (agg === "count" && node.text("sql") === undefined) return undefined;
    const parsed = this.#context.fields.columns(this.#cube, sqlOfMember(node));
    const isRows = agg === "count" && parsed.kind === "literal" && parsed.type !== "null";
    return isRows ? undefined : parsed;
  }

  /**
   * Converts a measure. A filter becomes a condition on columns. If the filter's column would be read as a dimension, the condition becomes
   * part of the expression.
   */
  #measure(name: string, agg: ModelMeasure["agg"], parsed: ParsedExpression | undefined, node: CubeNode): ModelMeasure {
    const conditions = node
      .entries("filters")
      .map((each) => this.#context.fields.columns(this.#cube, sqlOfMember(each)));
    const folded = conditions.filter(
      (each) => shadowedColumn(each, this.#cube.name, this.#context.fields, this.#dimensions) !== undefined,
    );
    const filters = conditions.filter((each) => !folded.includes(each)).map((each) => printExpression(each));
    const one: ParsedExpression = { kind: "literal", type: "integer", value: "1" };
    const input = folded.reduce<ParsedExpression | undefined>(
      (inner, when) => ({ kind: "case", branches: [{ when, then: inner ?? one }], otherwise: undefined }),
      parsed,
    );
    return {
      name,
      agg,
      ...(input && { expr: printExpression(input) }),
      ...(filters.length > 0 && { filters }),
      ...memberWords(node),
    };
  }

  #formula(node: CubeNode): Converted {
    if (node.child("filters")) refuseImport("filters are not for a measure over measures. Filter the measures in it.");
    if (node.child("rolling_window")) refuseImport("A rolling window needs an aggregation. Use it on the measures.");
    const parsed = sqlOfMember(node);
    if (mayDropFraction(parsed)) this.#context.note(node, "measure", fractionNote);
    const shift = node.child("time_shift") ? shiftOf(node, this.#cube) : undefined;
    const name = shift ? `${node.name}__measure` : node.name;
    const { measures, metric } = convertFormula({
      name,
      words: shift ? {} : memberWords(node),
      parsed,
      columns: (part) => this.#context.fields.columns(this.#cube, part),
      measure: (path) => this.#measureNamed(node, path),
    });
    const metrics: ModelMetric[] = metric ? [metric] : [];
    if (shift) metrics.push({ type: "offset", name: node.name, measure: name, offset: shift, ...memberWords(node) });
    return { measures, metrics };
  }

  #measureNamed(node: CubeNode, path: readonly string[]): ParsedExpression {
    const name = templateName(path);
    if (!name) return refuseImport(`${path.join(".")} is a column outside of an aggregation. Aggregate it.`);
    const target = this.#cube.target(name.reference, name.columns);
    if (target.kind === "column")
      return refuseImport(`${target.column} is a column outside of an aggregation. Aggregate it.`);
    const isOwn = target.owner === undefined || target.owner === this.#cube.name;
    const owner = isOwn ? this.#cube : this.#context.cubes.get(target.owner ?? "");
    if (!owner?.isMeasure(target.field))
      return refuseImport(
        `${name.reference.join(".")} is not a measure, and is outside of an aggregation. Aggregate it.`,
      );
    if (!isOwn)
      this.#context.note(
        node,
        "measure",
        `${owner.name}.${target.field} is over all rows of ${owner.name}, also those that no join reaches.`,
      );
    return { kind: "name", path: isOwn ? [target.field] : [owner.name, target.field] };
  }
}
