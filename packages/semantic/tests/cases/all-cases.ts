import type { MetricCase } from "./case.ts";
import { chasmCases, fanOutCases, nullGroupCases } from "./fan-out.ts";
import { compoundJoinCases, oneToOneCases, rolePlayingCases, selfJoinCases } from "./joins.ts";
import { manyToManyCases, rangeJoinCases } from "./many-rows.ts";
import { countsOfNothingCases } from "./outer-joins.ts";

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
};
