import { cumulativeCases, offsetCases, toDateCases } from "./accumulated.ts";
import { distinctCases, nonAdditiveCases, semiAdditiveCases } from "./aggregations.ts";
import { exactNumberCases, ratioCases } from "./arithmetic.ts";
import { calendarCases } from "./calendars.ts";
import type { MetricCase } from "./case.ts";
import { conversionCases } from "./conversions.ts";
import { chasmCases, fanOutCases, nullGroupCases } from "./fan-out.ts";
import { aggregationFilterCases, boundCases, nullInListCases, toManyFilterCases } from "./filters.ts";
import { inlineAggregateCases } from "./inline-aggregates.ts";
import { compoundJoinCases, oneToOneCases, rolePlayingCases, selfJoinCases } from "./joins.ts";
import { manyToManyCases, rangeJoinCases } from "./many-rows.ts";
import { ownAggregateCases, statementCases, windowCases } from "./measure-forms.ts";
import { momentCases } from "./moments.ts";
import { countsOfNothingCases } from "./outer-joins.ts";
import { overTimeCases } from "./over-time.ts";
import { topCases, totalCases } from "./ranks.ts";
import { textKeyCases } from "./text-keys.ts";
import { textCases } from "./texts.ts";
import { grainCases, spineCases, weekCases, zoneCases } from "./time-grains.ts";
import { valueCases } from "./values.ts";
import { zoneExpressionCases } from "./zone-expressions.ts";

export const allCases: Readonly<Record<string, readonly MetricCase[]>> = {
  "fan-out": fanOutCases,
  chasm: chasmCases,
  "null groups": nullGroupCases,
  "outer joins and counts of nothing": countsOfNothingCases,
  "compound join conditions": compoundJoinCases,
  "role-playing": rolePlayingCases,
  "self joins": selfJoinCases,
  "one-to-one": oneToOneCases,
  "range joins": rangeJoinCases,
  "many-to-many": manyToManyCases,
  "semi-additive": semiAdditiveCases,
  "non-additive": nonAdditiveCases,
  "distinct counts and averages over joins": distinctCases,
  "ratios and zero denominators": ratioCases,
  "aggregates within metrics": inlineAggregateCases,
  "measures that aggregate themselves": ownAggregateCases,
  "windows of measures and metrics": windowCases,
  "rows of statements": statementCases,
  "exact decimals and big integers": exactNumberCases,
  "filters before and after aggregation": aggregationFilterCases,
  "filters through to-many": toManyFilterCases,
  "null in lists": nullInListCases,
  "inclusive bounds": boundCases,
  grains: grainCases,
  "week start": weekCases,
  "zones across summer time": zoneCases,
  "zones of expressions": zoneExpressionCases,
  spines: spineCases,
  cumulative: cumulativeCases,
  "grain to date": toDateCases,
  offsets: offsetCases,
  "over time": overTimeCases,
  conversion: conversionCases,
  "top-n with ties": topCases,
  "totals and shares": totalCases,
  "levels by a calendar": calendarCases,
  "zones of measures and old times": momentCases,
  "texts by their characters": textCases,
  "keys that are texts": textKeyCases,
  "values and texts": valueCases,
};

/** The cases whose SQL this package compiles completely. A model's own statement is written for one engine. */
export const composedCases: readonly MetricCase[] = Object.entries(allCases).flatMap(([trap, cases]) =>
  trap === "rows of statements" ? [] : cases,
);
