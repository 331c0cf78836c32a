import type { MetricCase } from "./case.ts";
import { chasmCases, fanOutCases, nullGroupCases } from "./fan-out.ts";
import { joinCases, valueCases } from "./joins.ts";
import { overTimeCases, semiAdditiveCases } from "./over-time.ts";

export const allCases: Readonly<Record<string, readonly MetricCase[]>> = {
  "fan-out": fanOutCases,
  chasm: chasmCases,
  "null groups": nullGroupCases,
  "over time": overTimeCases,
  "semi-additive": semiAdditiveCases,
  joins: joinCases,
  values: valueCases,
};
