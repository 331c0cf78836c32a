/** Plans a query: measures become facts, each fact is aggregated at its own grain, and the facts are combined on the keys. */

import { planConversionFact } from "../facts/conversion-fact.ts";
import { groupFacts, type MeasureFact } from "../facts/fact.ts";
import type { FactPart } from "../facts/fact-part.ts";
import { movesRows } from "../facts/moved-rows.ts";
import { planOverTimeFact } from "../facts/over-time-fact.ts";
import { type PeriodAxis, periodType } from "../facts/period-axis.ts";
import { planPeriods } from "../facts/periods.ts";
import { pickedPeriod, planPickedFact } from "../facts/picked-period.ts";
import { planPlainFact } from "../facts/plain-fact.ts";
import { readSpine } from "../facts/read-spine.ts";
import { computedColumn, sqlBinary } from "../ir/build-expression.ts";
import type { NamedRelation, SqlExpression, SqlStatement } from "../ir/sql-expression.ts";
import { expandMeasure } from "../metric-kinds/expand-measure.ts";
import type { FormulaColumns } from "../plan/formula.ts";
import { type Leaf, leafKey } from "../plan/leaf.ts";
import { onAxes } from "../plan/measure-times.ts";
import type { PlanContext } from "../plan/plan-context.ts";
import { checkAliases } from "../plan/query-keys.ts";
import { type CombinedFacts, combineFacts } from "../result/combine-facts.ts";
import { planGroupsOfModel } from "../result/empty-groups.ts";
import { namesAfterAggregation, type RequestedMeasure, ResultPlanner } from "../result/plan-result.ts";
import { planEmptyGroups, planFilledPeriods } from "../result/present-groups.ts";
import type { MetricColumn } from "../result/result-columns.ts";
import { fillsPeriods, readAxis, type SplitQuery } from "./read-axis.ts";
import { rowsOfDimensions } from "./rows-of-dimensions.ts";

export interface PlannedQuery {
  readonly statement: SqlStatement;
  readonly columns: readonly MetricColumn[];
}

export class QueryPlanner {
  readonly #context: PlanContext;
  readonly #hasMedian: boolean;
  readonly #relations: NamedRelation[] = [];
  readonly #parts: FactPart[] = [];
  /** The names of relations from which the periods of the data are read. */
  readonly #periodsOf: string[] = [];
  #leaves: readonly Leaf[] = [];

  constructor(context: PlanContext, hasMedian: boolean) {
    this.#context = context;
    this.#hasMedian = hasMedian;
  }

  plan(): PlannedQuery {
    const measures = this.#measures();
    this.#leaves = measures.flatMap(({ formula }) => formula.leaves);
    const facts = groupFacts(this.#context, this.#leaves, this.#hasMedian);
    const split = readAxis(this.#context, facts);
    const rest = facts.map((fact, index) => this.#planFact(fact, `f${index}`, split));
    this.#planPresence(split, rest.flat());
    const combined = combineFacts(this.#parts);
    this.#relations.push(...combined.relations);
    const columns = this.#columns(facts, combined, split);
    const result = new ResultPlanner(this.#context, combined, measures, columns, this.#withinSpine(split)).plan();
    const relations = [...this.#context.groups.relations, ...this.#relations];
    return { statement: { relations, body: result.body }, columns: result.columns };
  }

  #measures(): readonly RequestedMeasure[] {
    const { models, query, keys, words } = this.#context;
    const aliases = aliasesOf(this.#context);
    const shown = query.measures.map((entry, index): RequestedMeasure => {
      const source = typeof entry === "string" ? entry : entry.measure;
      const alias = aliases[index] ?? source;
      const formula = onAxes(expandMeasure(models, source, words), namesOf(source, alias), keys);
      return { column: `a${index}`, alias, source, formula, isHidden: false };
    });
    checkAliases([...keys.map(({ alias }) => alias), ...shown.map(({ alias }) => alias)]);
    const known = new Set([
      ...shown.flatMap(({ alias, source }) => [alias, source]),
      ...keys.flatMap(({ alias, field }) => [alias, field ?? alias]),
    ]);
    const missing = [...new Set(namesAfterAggregation(this.#context))].filter((name) => !known.has(name));
    const hidden = missing.map((source, index): RequestedMeasure => {
      return {
        column: `h${index}`,
        alias: source,
        source,
        formula: onAxes(expandMeasure(models, source, words), namesOf(source, source), keys),
        isHidden: true,
      };
    });
    if (shown.length > 0) return [...shown, ...hidden];
    const formula = rowsOfDimensions(this.#context);
    return [{ column: "rows", alias: "rows", source: "rows", formula, isHidden: true }, ...hidden];
  }

  /** Adds the fact, and returns the parts that need the periods first. */
  #planFact(fact: MeasureFact, name: string, split: SplitQuery): readonly FactPart[] {
    const { axis } = split;
    if (fact.shape === "conversion") {
      const part = planConversionFact(this.#context, fact, name, this.#context.query.filters ?? []);
      this.#add(part);
      if (axis) this.#periodsOf.push(part.name);
      return [];
    }
    if (fact.behaviour.kind === "plain" || !axis || movesRows(this.#context, fact.behaviour)) {
      const part = planPlainFact(this.#context, fact, name, this.#context.query.filters ?? []);
      this.#add(part);
      if (axis) this.#periodsOf.push(part.name);
      return [];
    }
    const picked = pickedPeriod(this.#context, fact, axis);
    const plan = [this.#context, fact, name, split.others, axis] as const;
    const { relations, periodsOf, parts } = picked ? planPickedFact(...plan, picked) : planOverTimeFact(...plan);
    this.#relations.push(...relations);
    this.#periodsOf.push(periodsOf);
    return parts;
  }

  #add(part: FactPart): void {
    this.#relations.push(...part.relations);
    this.#parts.push(part);
  }

  #planPresence({ axis, cutsData }: SplitQuery, waiting: readonly FactPart[]): void {
    const { query } = this.#context;
    const needsPeriods = fillsPeriods(query) || (query.includeEmpty && axis) || waiting.length > 0;
    if (axis && needsPeriods)
      this.#relations.push(...planPeriods(axis, this.#periodsOf, readSpine(this.#context, axis)));
    for (const part of waiting) this.#add(part);
    const facts = [...this.#parts];
    if (axis && fillsPeriods(query)) this.#add(planFilledPeriods(facts, axis, query.fillOnce === true));
    if (query.includeEmpty) this.#planEmptyGroups(axis);
    if (cutsData)
      this.#context.assumptions.add(
        "Filters on the time of periods cut the result, and not the rows that metrics look back at.",
      );
  }

  /** Returns conditions that limit the result to the periods of a spine. */
  #withinSpine({ axis }: SplitQuery): readonly SqlExpression[] {
    const bounds = axis && readSpine(this.#context, axis);
    if (!bounds || "relation" in bounds) return [];
    const period = computedColumn("c", axis.key.column, { type: periodType(axis.grain) });
    this.#context.assumptions.add("Rows before and after the spine, and without a time, are not in the result.");
    return [sqlBinary(">=", period, bounds.first), sqlBinary("<=", period, bounds.last)];
  }

  #planEmptyGroups(axis: PeriodAxis | undefined): void {
    const [leaf] = this.#leaves;
    const groups = leaf && planGroupsOfModel(this.#context, leaf, axis?.key);
    if (!groups) return;
    const keys = this.#parts[0]?.keys ?? [];
    this.#add(planEmptyGroups(groups.select, keys, axis));
    this.#context.words.push(`All groups of ${groups.model} are in the result, also those without rows.`);
  }

  #columns(facts: readonly MeasureFact[], combined: CombinedFacts, { multiplied }: SplitQuery): FormulaColumns {
    const byLeaf = new Map(
      facts.flatMap(({ leaves }) => leaves.map(({ leaf, column }) => [leafKey(leaf), column] as const)),
    );
    return {
      leaf: (leaf) => {
        const column = byLeaf.get(leafKey(leaf)) ?? "";
        const found = combined.measures.find(({ name }) => name === column);
        return computedColumn("c", column, found?.expression ?? { type: "unknown" });
      },
      key: (name) => {
        const index = this.#context.keys.findIndex((key) => key.alias === name || key.field === name);
        const key = combined.keys[index];
        return computedColumn("c", key?.name ?? name, key?.expression ?? { type: "unknown" });
      },
      isInSeveralGroups: (leaf) => multiplied(leaf),
    };
  }
}

/** Returns the names that a time axis can use for a measure of the query. */
function namesOf(source: string, alias: string): readonly string[] {
  return [...new Set([alias, source, source.split(".").at(-1) ?? source])];
}

/** Returns the column names of the measures: for `orders.count`, `count`, or `orders_count` if another column has that name. */
function aliasesOf({ query, keys }: PlanContext): readonly string[] {
  const short = query.measures.map((entry) => {
    if (typeof entry !== "string" && entry.as !== undefined) return entry.as;
    return (typeof entry === "string" ? entry : entry.measure).split(".").at(-1) ?? "";
  });
  const taken = [...short, ...keys.map(({ alias }) => alias)];
  return query.measures.map((entry, index) => {
    const alias = short[index] ?? "";
    const isTaken = taken.filter((each) => each === alias).length > 1;
    if (typeof entry !== "string" && entry.as !== undefined) return alias;
    return isTaken ? (typeof entry === "string" ? entry : entry.measure).replaceAll(".", "_") : alias;
  });
}
