/** Metrics that read periods other than their row's: cumulative and offset metrics. */

import type { TimeGrain } from "../expressions/time-grains.ts";
import { quotient, sqlBinary } from "../ir/build-expression.ts";
import { mergeTypes } from "../ir/type-rules.ts";
import type { ModelMetric, TimeSpan } from "../models/model-schema.ts";
import type { OffsetStep, TimeBehaviour } from "../plan/leaf.ts";
import { refuseMetric } from "../refusals/metric-refusal.ts";
import type { SemanticMetricKind } from "./metric-kind.ts";

type Of<Type extends ModelMetric["type"]> = SemanticMetricKind<Extract<ModelMetric, { type: Type }>>;

export const cumulativeMetric: Of<"cumulative"> = {
  expand({ name, measure, window, grain_to_date: toDate, pick }, scope) {
    const before = stepsAround(name, scope.behaviour);
    if (window !== undefined && toDate !== undefined) {
      refuseMetric("invalid_query", `The metric ${name} has both a window and grain_to_date. Remove one.`);
    }
    return scope.expand(measure, { kind: "cumulative", window, toDate, before, pick });
  },
  explain({ measure, window, grain_to_date: toDate }) {
    if (window) return `is ${measure} over the last ${window.count} periods (${window.grain})`;
    return toDate ? `is ${measure} from the start of the ${toDate}` : `is ${measure} from the first period on`;
  },
};

export const offsetMetric: Of<"offset"> = {
  expand({ name, measure, offset, offset_to_grain: grain, result = "value" }, scope) {
    const around = stepsAround(name, scope.behaviour);
    const before = scope.expand(measure, { kind: "offset", steps: [...around, stepOf(name, offset, grain)] });
    if (result === "value") return before;
    const now = scope.expand(measure);
    return {
      leaves: [...now.leaves, ...before.leaves],
      write(columns) {
        const [current, previous] = [now.write(columns), before.write(columns)];
        const difference = sqlBinary("-", current, previous, mergeTypes([current, previous], "-"));
        return result === "difference" ? difference : quotient(difference, previous);
      },
    };
  },
  explain({ measure, offset, offset_to_grain: grain, result = "value" }) {
    const earlier = offset ? `${offset.count} ${offset.grain} earlier` : `at the start of the ${grain}`;
    if (result === "value") return `is ${measure} ${earlier}`;
    return result === "difference"
      ? `is ${measure} less that ${earlier}`
      : `is the growth of ${measure} since ${earlier}`;
  },
};

function stepOf(name: string, span: TimeSpan | undefined, grain: TimeGrain | undefined): OffsetStep {
  if (span && !grain) return { kind: "back", span };
  if (grain && !span) return { kind: "to_grain", grain };
  return refuseMetric("invalid_query", `The metric ${name} needs either offset or offset_to_grain. Write one.`);
}

/** Returns the time behaviour of a measure or metric with a window of its own. */
export function overWindow(
  { name, window }: { readonly name: string; readonly window?: TimeSpan },
  behaviour: TimeBehaviour,
): TimeBehaviour {
  if (window === undefined) return behaviour;
  return { kind: "cumulative", window, toDate: undefined, before: stepsAround(name, behaviour) };
}

/** Returns the enclosing metric's offset, whose steps come first. */
function stepsAround(name: string, behaviour: TimeBehaviour): readonly OffsetStep[] {
  if (behaviour.kind === "plain") return [];
  if (behaviour.kind === "offset") return behaviour.steps;
  return refuseMetric(
    "unsupported",
    `The metric ${name} looks at other periods, and is used within one that adds up periods. Use its measure instead.`,
  );
}
