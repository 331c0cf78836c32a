import { defineMetric } from "../scoring/define-metric.ts";
import { steps } from "./units.ts";

export const stepsMetric = defineMetric({
  name: "steps",
  type: "standard",
  kind: "measured",
  settings: {},
  remedies: { threshold: "Write the most model responses that a turn may take." },
  unit: steps,
  passes: "at-most",
  documentation: {
    summary: "how many model responses the turn took",
    range: "1 or more",
    needs: "`threshold`",
    cost: "none",
  },
  open: () => (facts) => ({ score: facts.steps }),
});
