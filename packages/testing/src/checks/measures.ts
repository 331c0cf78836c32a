import { MetricError, type PlannedMetric, type Scored } from "./planned-metric.ts";
import type { TurnFacts } from "./turn-facts.ts";

interface Measure {
  readonly unit: NonNullable<PlannedMetric["unit"]>;
  read(facts: TurnFacts): Scored;
}

/** What is measured of a turn instead of being judged: the less, the better. */
export const measures = {
  latency: { unit: "seconds", read: ({ durationMs }) => ({ score: durationMs / 1000 }) },
  steps: { unit: "steps", read: ({ steps }) => ({ score: steps }) },
  cost: {
    unit: "usd",
    read({ costUsd }) {
      if (costUsd !== undefined) return { score: costUsd };
      throw new MetricError("the host does not tell what the turn cost. Remove the metric, or use steps.");
    },
  },
} as const satisfies Readonly<Record<string, Measure>>;
