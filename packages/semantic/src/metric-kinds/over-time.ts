/** Metrics that look at other periods than that of their row: cumulative and offset. */
import { quotient, sqlBinary } from "../ir/build-expression.ts";
import type { ModelMetric } from "../models/model-schema.ts";
import { mergeTypes } from "../plan/type-rules.ts";
import { refuseMetric } from "../refusals/metric-refusal.ts";
import type { MetricScope, SemanticMetricKind } from "./metric-kind.ts";

type Of<Type extends ModelMetric["type"]> = SemanticMetricKind<Extract<ModelMetric, { type: Type }>>;

export const cumulativeMetric: Of<"cumulative"> = {
  expand({ name, measure, window, grain_to_date: toDate }, scope) {
    requirePlain(name, scope);
    if (window !== undefined && toDate !== undefined) {
      refuseMetric("invalid_query", `The metric ${name} has both a window and grain_to_date. Remove one.`);
    }
    return scope.expand(measure, { kind: "cumulative", window, toDate });
  },
  explain({ measure, window, grain_to_date: toDate }) {
    if (window) return `is ${measure} over the last ${window.count} periods (${window.grain})`;
    return toDate ? `is ${measure} from the start of the ${toDate}` : `is ${measure} from the first period on`;
  },
};

export const offsetMetric: Of<"offset"> = {
  expand({ name, measure, offset, result = "value" }, scope) {
    requirePlain(name, scope);
    const before = scope.expand(measure, { kind: "offset", span: offset });
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
  explain({ measure, offset, result = "value" }) {
    const earlier = `${offset.count} ${offset.grain} earlier`;
    if (result === "value") return `is ${measure} ${earlier}`;
    return result === "difference"
      ? `is ${measure} less that ${earlier}`
      : `is the growth of ${measure} since ${earlier}`;
  },
};

function requirePlain(name: string, { behaviour }: MetricScope): void {
  if (behaviour.kind === "plain") return;
  refuseMetric(
    "unsupported",
    `The metric ${name} looks at other periods, and is used within one that does. Use its measure instead.`,
  );
}
