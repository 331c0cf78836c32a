import { defineMetric } from "../scoring/define-metric.ts";
import { seconds } from "./units.ts";

export const latencyMetric = defineMetric({
  name: "latency",
  type: "standard",
  kind: "measured",
  settings: {},
  remedies: { threshold: "Write the most seconds that a turn may take." },
  unit: seconds,
  passes: "at-most",
  documentation: { summary: "how long the turn took", range: "seconds", needs: "`threshold`", cost: "none" },
  open:
    () =>
    ({ durationMs }) => ({ score: durationMs / 1000 }),
});
