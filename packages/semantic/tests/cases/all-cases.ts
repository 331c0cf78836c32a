import type { MetricCase } from "./case.ts";
import { chasmCases, fanOutCases, nullGroupCases } from "./fan-out.ts";

export const allCases: Readonly<Record<string, readonly MetricCase[]>> = {
  "fan-out": fanOutCases,
  chasm: chasmCases,
  "null groups": nullGroupCases,
};
