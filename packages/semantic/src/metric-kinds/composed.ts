/** Metrics that are computed from others by arithmetic: simple, ratio and derived. */
import { quotient } from "../ir/build-expression.ts";
import type { ModelMetric } from "../models/model-schema.ts";
import type { SemanticMetricKind } from "./metric-kind.ts";

type Of<Type extends ModelMetric["type"]> = SemanticMetricKind<Extract<ModelMetric, { type: Type }>>;

export const simpleMetric: Of<"simple"> = {
  expand: ({ measure }, scope) => scope.expand(measure),
  explain: ({ measure }) => `is ${measure}`,
};

export const ratioMetric: Of<"ratio"> = {
  expand({ numerator, denominator }, scope) {
    const [over, under] = [scope.expand(numerator), scope.expand(denominator)];
    return {
      leaves: [...over.leaves, ...under.leaves],
      write: (columns) => quotient(over.write(columns), under.write(columns)),
    };
  },
  explain: ({ numerator, denominator }) => `is ${numerator} divided by ${denominator}, or null if that is zero`,
};

export const derivedMetric: Of<"derived"> = {
  expand: ({ expr }, scope) => scope.expandExpression(expr),
  explain: ({ expr }) => `is ${expr}`,
};
