/** Finds divisions that aggregate the same values on both sides, where a dimension of one side also groups the other. */
import type { ParsedExpression } from "../expressions/expression.ts";
import { mapExpression } from "../expressions/map-expression.ts";
import { printExpression } from "../expressions/print-expression.ts";
import { findMeasure } from "../metric-kinds/expand-measure.ts";
import type { ModelMetric, SemanticModel } from "../models/model-schema.ts";
import type { ModelSet } from "../models/model-set.ts";
import { inlineAggregate } from "../plan/inline-aggregate.ts";
import type { Leaf } from "../plan/leaf.ts";

/** A measure that is a metric's divisor and aggregates the same values as the dividend. */
export interface SharedDenominator {
  readonly metric: string;
  readonly denominator: string;
}

/** An aggregate in a formula. */
interface Part {
  /** The name of the aggregate in the nearest expression. */
  readonly name: string;
  /**
   * A string that is equal for aggregates of the same values, regardless of filters and periods. Undefined if the values of groups do not
   * add up to the whole.
   */
  readonly values: string | undefined;
  /** A string that is equal for aggregates of the same rows in the same periods. */
  readonly rows: string;
  /** Whether the aggregate belongs to an earlier period. */
  readonly isEarlier: boolean;
}

/** The aggregates that a formula multiplies (`over`), and those that it divides by (`under`). */
interface Fraction {
  readonly over: readonly Part[];
  readonly under: readonly Part[];
}

interface Around {
  readonly metric: string;
  readonly model: SemanticModel;
  readonly filters: readonly string[];
  readonly isEarlier: boolean;
}

/** Aggregations that allow a part to be compared with the whole. */
const adding: ReadonlySet<string> = new Set(["count", "count_distinct", "sum"]);

const nothing: Fraction = { over: [], under: [] };

/** Finds the divisions with the same values on both sides, in a measure or metric and in those from which it is computed. */
export function findSharedDenominators(models: ModelSet, name: string): readonly SharedDenominator[] {
  const reader = new FractionReader(models);
  reader.read(name, { metric: name, model: findMeasure(models, name).model, filters: [], isEarlier: false });
  return [...reader.found.values()];
}

class FractionReader {
  readonly found = new Map<string, SharedDenominator>();
  readonly #models: ModelSet;

  constructor(models: ModelSet) {
    this.#models = models;
  }

  read(name: string, around: Around): Fraction {
    const { model, measure, metric } = findMeasure(this.#models, name, around.model);
    if (measure) return { over: [this.#part(name, { model, measure }, around)], under: [] };
    if (!metric) return nothing;
    const filters = [
      ...around.filters,
      ...(metric.filters ?? []).map((filter) => JSON.stringify([model.name, filter])),
    ];
    const inner: Around = { ...around, metric: `${model.name}.${metric.name}`, model, filters };
    const { over, under } = this.#metric(metric, inner);
    return { over: over.map((part) => ({ ...part, name })), under };
  }

  #metric(metric: ModelMetric, around: Around): Fraction {
    switch (metric.type) {
      case "ratio":
        return this.#quotient(this.read(metric.numerator, around), this.read(metric.denominator, around), around);
      case "derived":
        return this.#expression(this.#models.parse(metric.expr), around);
      case "offset": {
        const before = this.read(metric.measure, { ...around, isEarlier: true });
        // Growth compares a measure with another period, and not with other rows.
        return metric.result === "growth" ? nothing : before;
      }
      case "simple":
      case "cumulative":
      case "share":
        return this.read(metric.measure, around);
      case "conversion":
        return nothing;
    }
  }

  #expression(parsed: ParsedExpression, around: Around): Fraction {
    if (parsed.kind === "name") return this.read(parsed.path.join("."), around);
    if (parsed.kind === "call") {
      const found = inlineAggregate(this.#models, around.model, parsed);
      if (found) return { over: [this.#part(written(parsed), found, around)], under: [] };
      return this.#call(parsed, around);
    }
    if (parsed.kind === "binary") {
      const left = this.#expression(parsed.left, around);
      const right = this.#expression(parsed.right, around);
      if (parsed.operator === "/") return this.#quotient(left, right, around);
      return parsed.operator === "*" ? this.#product(left, right, around) : together([left, right]);
    }
    return together(operandsOf(parsed).map((part) => this.#expression(part, around)));
  }

  #call({ name, args }: Extract<ParsedExpression, { kind: "call" }>, around: Around): Fraction {
    const [base, exponent] = args;
    if (name === "power" && base !== undefined && exponent !== undefined && isNegative(exponent))
      return inverse(this.#expression(base, around));
    return together(args.map((part) => this.#expression(part, around)));
  }

  #quotient(left: Fraction, right: Fraction, around: Around): Fraction {
    return this.#product(left, inverse(right), around);
  }

  /** Returns the product. Checks only divisions of one factor by the other, because each factor was already checked on its own. */
  #product(left: Fraction, right: Fraction, around: Around): Fraction {
    this.#compare(left.over, right.under, around);
    this.#compare(right.over, left.under, around);
    return together([left, right]);
  }

  #compare(over: readonly Part[], under: readonly Part[], { metric }: Around): void {
    const shared = under.find((part) => over.some((each) => isShared(each, part)));
    if (shared === undefined) return;
    const found: SharedDenominator = { metric, denominator: shared.name };
    this.found.set(JSON.stringify(found), found);
  }

  #part(name: string, leaf: Pick<Leaf, "model" | "measure" | "operand">, around: Around): Part {
    const { model, measure } = leaf;
    const values = adding.has(measure.agg) ? JSON.stringify([model.name, ...this.#valuesOf(leaf)]) : undefined;
    const filters = [
      ...around.filters,
      ...(measure.filters ?? []).map((filter) => JSON.stringify([model.name, filter])),
    ];
    const rows = JSON.stringify([values, printed(this.#operandOf(leaf), model), filters.toSorted()]);
    return { name, values, rows, isEarlier: around.isEarlier };
  }

  /**
   * Returns the aggregated values. A count of the rows that meet a condition aggregates the same values as a count of all rows, and so does
   * a sum of ones.
   */
  #valuesOf(leaf: Pick<Leaf, "model" | "measure" | "operand">): readonly string[] {
    const { model, measure } = leaf;
    const { agg } = measure;
    const chosen = chosenBy(this.#operandOf(leaf));
    const isConstant = chosen === undefined || chosen.kind === "literal";
    if (agg === "count" || agg === "count_distinct") {
      const key = model.primary_key ?? [];
      const isKey = key.length === 1 && printed(chosen, model) === printed({ kind: "name", path: key }, model);
      if (isKey || (agg === "count" && isConstant)) return ["rows"];
    }
    if (agg === "sum" && chosen?.kind === "literal") return ["rows"];
    return [agg, printed(chosen, model)];
  }

  #operandOf({ measure, operand }: Pick<Leaf, "measure" | "operand">): ParsedExpression | undefined {
    if (operand) return operand;
    if (measure.expr !== undefined) return this.#models.parse(measure.expr);
    return measure.agg === "count" || measure.name.includes("(") ? undefined : { kind: "name", path: [measure.name] };
  }
}

/** Whether a division compares a part with the whole. A division by the same rows in another period compares periods. */
function isShared(over: Part, under: Part): boolean {
  if (over.values === undefined || over.values !== under.values) return false;
  return over.isEarlier === under.isEarlier || over.rows !== under.rows;
}

function inverse({ over, under }: Fraction): Fraction {
  return { over: under, under: over };
}

function together(fractions: readonly Fraction[]): Fraction {
  return { over: fractions.flatMap(({ over }) => over), under: fractions.flatMap(({ under }) => under) };
}

/** Returns the only value of a CASE other than NULL and 0. Returns other expressions unchanged. */
function chosenBy(parsed: ParsedExpression | undefined): ParsedExpression | undefined {
  if (parsed?.kind === "cast") return chosenBy(parsed.operand);
  if (parsed?.kind === "call" && (parsed.name === "if" || parsed.name === "iif"))
    return onlyOf(parsed.args.slice(1)) ?? parsed;
  if (parsed?.kind !== "case") return parsed;
  const results = parsed.branches.map(({ then }) => then);
  return onlyOf(parsed.otherwise ? [...results, parsed.otherwise] : results) ?? parsed;
}

function onlyOf(results: readonly ParsedExpression[]): ParsedExpression | undefined {
  const values = results.filter(
    (each) => each.kind !== "literal" || (each.type !== "null" && Number(each.value) !== 0),
  );
  const [only, ...others] = values;
  return others.length === 0 ? chosenBy(only) : undefined;
}

function isNegative(parsed: ParsedExpression): boolean {
  return parsed.kind === "unary" ? parsed.operator === "-" : parsed.kind === "literal" && Number(parsed.value) < 0;
}

/** Prints an expression. Names in the model itself may be written with or without the model's name. */
function printed(parsed: ParsedExpression | undefined, model: SemanticModel): string {
  if (parsed === undefined) return "";
  return printExpression(parsed, (path) => (path[0] === model.name ? path.slice(1) : path).join("."));
}

function written(call: ParsedExpression): string {
  return printExpression(call, (path) => path.join("."));
}

/** Returns the parts of an expression that is neither a call nor a binary operator. */
function operandsOf(parsed: ParsedExpression): readonly ParsedExpression[] {
  const parts: ParsedExpression[] = [];
  mapExpression(parsed, (part) => {
    if (part === parsed) return undefined;
    parts.push(part);
    return part;
  });
  return parts;
}
