/** Turns the dimensions of a query into keys with column names. */

import { checkZone } from "../dialects/zone-offsets.ts";
import type { ModelSet } from "../models/model-set.ts";
import { type ParsedMetricQuery, weekDays } from "../query/query-schema.ts";
import { refuseMetric } from "../refusals/metric-refusal.ts";
import { splitField } from "./field-path.ts";
import type { GroupMetrics } from "./group-metric.ts";
import { AliasCounter } from "./join-tree.ts";
import type { KeyRequest, PeriodsWithin, PlanContext } from "./plan-context.ts";

export function planContext(
  models: ModelSet,
  query: ParsedMetricQuery,
  groups: GroupMetrics,
  within?: PeriodsWithin,
): PlanContext {
  if (query.timezone !== undefined) checkZone(query.timezone);
  return {
    models,
    query,
    keys: readKeys(models, query),
    via: typeof query.via === "string" ? [query.via] : (query.via ?? []),
    zone: query.timezone,
    weekStart: weekDays.indexOf(query.weekStart ?? "monday"),
    aliases: new AliasCounter(),
    groups,
    words: [],
    assumptions: new Set(),
    within,
  };
}

function readKeys(models: ModelSet, { dimensions = [] }: ParsedMetricQuery): readonly KeyRequest[] {
  return dimensions.map((dimension, index): KeyRequest => {
    const column = `k${index}`;
    if (typeof dimension === "string") {
      const field = splitField(models, dimension).join(".");
      return { column, alias: aliasOf(dimension), field, time: undefined, grain: undefined, part: undefined };
    }
    if ("time" in dimension) {
      const { time, grain, part, as = part ?? grain } = dimension;
      return { column, alias: as, field: undefined, time, grain: part ? undefined : grain, part };
    }
    const { grain, part, as = aliasOf(dimension.field) } = dimension;
    if (grain && part)
      refuseMetric("invalid_query", `"${dimension.field}" has both a grain and a part. Leave one of them out.`);
    const field = splitField(models, dimension.field).join(".");
    return { column, alias: as, field, time: undefined, grain, part };
  });
}

/** Names the column of a field: `ship_region` for `orders.ship.region`, and `region` for `customers.region`. */
function aliasOf(field: string): string {
  const parts = field.split(".");
  return parts.length > 2 ? parts.slice(1).join("_") : (parts.at(-1) ?? field);
}

/** Refuses column names that occur twice. */
export function checkAliases(names: readonly string[]): void {
  const twice = names.find((name, index) => names.indexOf(name) !== index);
  if (twice !== undefined)
    refuseMetric("ambiguous_name", `The result has two columns ${twice}. Name one of them with "as".`);
  const wrong = names.find((name) => !isColumnName(name));
  if (wrong !== undefined) {
    const why = `${JSON.stringify(wrong.slice(0, 80))} is not a valid column name: engines cut or refuse it.`;
    refuseMetric("invalid_query", `${why} Use at most 63 bytes, without line ends, backslashes and emoji.`);
  }
}

function isColumnName(name: string): boolean {
  return !/[\p{Cc}\\\u{10000}-\u{10FFFF}]/u.test(name) && Buffer.byteLength(name) <= 63;
}
