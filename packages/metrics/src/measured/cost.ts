import { defineMetric } from "../scoring/define-metric.ts";
import { NoScoreError } from "../scoring/no-score-error.ts";
import { dollars } from "./units.ts";

export const costMetric = defineMetric({
  name: "cost",
  type: "standard",
  kind: "measured",
  settings: {},
  remedies: { threshold: "Write the most US dollars that a turn may cost." },
  unit: dollars,
  passes: "at-most",
  documentation: {
    summary: "how much the turn cost",
    range: "US dollars",
    needs: "`threshold`, a host with prices",
    cost: "none",
  },
  open:
    () =>
    ({ costUsd }) => {
      if (costUsd !== undefined) return { score: costUsd };
      throw new NoScoreError("the host does not report the cost of the turn. Remove the metric, or use steps.");
    },
});
