import { redactSensitive } from "@bridle/warehouse";
import { columnOfExpression, takeModelName, toModelName } from "../../history/model-names.ts";
import type { Counted, TableUsage, UsedAggregate, UsedCondition } from "../../history/query-history.ts";
import { splitName } from "../../joins/names.ts";
import type { DraftMeasure, DraftSegment } from "./draft-parts.ts";
import { inputOfMeasure } from "./find-additions.ts";

/** A statement with fewer runs may be an experiment. */
const minRuns = 2;
const maxMeasures = 12;
const maxSegments = 6;
/** The minimum number of runs. A drafted aggregation that occurs in none of so many runs counts as unused. */
const enoughRuns = 10;

const prefixes: Readonly<Record<UsedAggregate["agg"], string>> = {
  count: "count_of",
  count_distinct: "distinct",
  sum: "total",
  avg: "avg",
  min: "min",
  max: "max",
  median: "median",
};
/** Names that are meaningless outside their statement. */
const generic = /^(?:[a-z]\d*|cnt|count|sum|total|value|val|num|number|amount|result|avg|min|max|res|data|column\d*)$/i;

export interface DraftedUsage {
  readonly measures: readonly DraftMeasure[];
  readonly segments: readonly DraftSegment[];
  /** The names that statements give to drafted measures. */
  readonly renamed: ReadonlyMap<string, string>;
  /** Drafted measures to leave out, because statements aggregate their columns differently; each with an explanation. */
  readonly unused: ReadonlyMap<string, string>;
}

/** Drafts measures and segments that statements use, in addition to those of the draft. `joined` are the columns that identify rows. */
export function draftUsage(
  usage: TableUsage,
  drafted: readonly DraftMeasure[],
  joined: ReadonlySet<string>,
): DraftedUsage {
  const taken = new Set(drafted.map(({ name }) => name.toLowerCase()));
  const renamed = findNames(usage, drafted, taken);
  const inputs = new Set(drafted.map(inputOfMeasure));
  const measures = usage.aggregates
    .filter((each) => each.runs >= minRuns && !inputs.has(inputOfMeasure(toMeasure(each, ""))))
    .slice(0, maxMeasures)
    .map((each) => toMeasure(each, takeModelName(nameOfAggregate(each), taken)));
  const segments = draftSegments(usage.conditions, joined);
  return { measures, segments, renamed, unused: findUnused(usage, drafted) };
}

/** Finds names that statements give to aggregates, such as `revenue` for a sum of totals. */
function findNames(
  { aggregates }: TableUsage,
  drafted: readonly DraftMeasure[],
  taken: Set<string>,
): ReadonlyMap<string, string> {
  return new Map(
    drafted.flatMap((measure): readonly (readonly [string, string])[] => {
      const isSame = (each: UsedAggregate) => inputOfMeasure(toMeasure(each, "")) === inputOfMeasure(measure);
      const used = aggregates.find((each) => each.runs >= minRuns && isSame(each));
      const name = used && tellingName(used);
      return name === undefined || measure.expr === undefined ? [] : [[measure.name, takeModelName(name, taken)]];
    }),
  );
}

/** Returns the name in statements, if it is meaningful outside them. */
function tellingName({ name }: UsedAggregate): string | undefined {
  const own = toModelName(name ?? "").toLowerCase();
  const isTelling = /^[a-z][a-z0-9_]{1,59}$/.test(own) && !generic.test(own) && redactSensitive(own) === own;
  return isTelling ? own : undefined;
}

function toMeasure({ agg, expr, filter }: UsedAggregate, name: string): DraftMeasure {
  return { name, agg, ...(expr !== undefined && { expr }), ...(filter !== undefined && { filters: [filter] }) };
}

function nameOfAggregate(aggregate: UsedAggregate): string {
  const { agg, expr, filter } = aggregate;
  const own = tellingName(aggregate);
  if (own !== undefined) return own;
  const input = expr === undefined ? "" : `_${toModelName(columnOfExpression(expr) ?? expr)}`;
  const when = filter === undefined ? "" : `_${nameOfCondition(filter)}`;
  const start = agg === "count" && expr === undefined ? "count" : prefixes[agg];
  return `${start}${input}${when}`.replaceAll(/_+/g, "_").slice(0, 60).replace(/_$/, "");
}

function draftSegments(
  conditions: readonly Counted<UsedCondition>[],
  joined: ReadonlySet<string>,
): readonly DraftSegment[] {
  const taken = new Set<string>();
  return conditions
    .filter(({ runs, columns }) => runs >= minRuns && !columns.some((column) => joined.has(column)))
    .slice(0, maxSegments)
    .map(({ condition }) => ({ name: takeModelName(nameOfCondition(condition), taken), filter: condition }));
}

/** Names `status = 'paid' AND NOT is_test`, for example, `status_paid_and_not_is_test`. */
function nameOfCondition(condition: string): string {
  const words = condition
    .replaceAll(/\bIS NOT NULL\b/g, " known")
    .replaceAll(/\bIS NULL\b/g, " missing")
    .replaceAll("<>", " not ")
    .replaceAll(",", " or ")
    .replaceAll(/ IN \(/g, " ");
  const name = splitName(words).join("_").slice(0, 60).replace(/_$/, "");
  return toModelName(name === "" ? "used" : name);
}

/** Finds measures that statements aggregate in another way. A number that is only averaged is not summed, whatever its name suggests. */
function findUnused(
  { aggregates, table, runs }: TableUsage,
  drafted: readonly DraftMeasure[],
): ReadonlyMap<string, string> {
  if (runs < enoughRuns) return new Map();
  return new Map(
    drafted.flatMap(({ name, agg, expr, semi_additive: semi }): readonly (readonly [string, string])[] => {
      const used = aggregates.filter((each) => expr !== undefined && each.expr === expr && each.runs >= minRuns);
      if (semi || agg === "count_distinct" || used.length === 0 || used.some((each) => each.agg === agg)) return [];
      const others = [...new Set(used.map((each) => each.agg.replace("_", " ")))].join(" and ");
      return [[name, `${table}.${expr} is aggregated by ${others} in statements, so its ${agg} was left out.`]];
    }),
  );
}
