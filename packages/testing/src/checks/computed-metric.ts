import {
  bleu,
  contains,
  describeValue,
  equality,
  exactMatch,
  f1,
  meteor,
  numeric,
  regex,
  responsePath,
  rouge1,
  rouge2,
  rougeL,
  type Score,
} from "@bridle/metrics";
import { getErrorMessage, type JsonValue } from "@bridle/protocol";
import { clipped } from "./clipped.ts";
import { measures } from "./measures.ts";
import { metricName } from "./metric-name.ts";
import { MetricError, type PlannedMetric, type Scored } from "./planned-metric.ts";
import { schemaMetric } from "./schema-metric.ts";
import { metricOf, type StandardConfig } from "./standard-config.ts";
import type { TurnFacts } from "./turn-facts.ts";

/** What a metric makes of a turn. May throw anything, for want of a score. */
type Compute = (facts: TurnFacts) => Scored | Promise<Scored>;

/** Where half of the best score passes: in the others a score is 0 or 1, and 1 passes. */
const graded: readonly StandardConfig["metric"][] = ["bleu", "rouge1", "rouge2", "rougeL", "meteor", "f1"];

/** A metric of the file that is computed, ready to be used. */
export function computedMetric(config: StandardConfig, baseDir: string): PlannedMetric {
  const metric = metricOf(config);
  const measure = metric === "latency" || metric === "cost" || metric === "steps" ? measures[metric] : undefined;
  const compute = measure?.read ?? computeOf(config, baseDir);
  return {
    ...{ name: metricName(config), type: "standard", metric },
    threshold: config.threshold ?? (graded.includes(metric) ? 0.5 : 1),
    passes: measure === undefined ? "at-least" : "at-most",
    unit: measure?.unit ?? null,
    async score(facts) {
      try {
        return await compute(facts);
      } catch (cause) {
        throw cause instanceof MetricError ? cause : new MetricError(getErrorMessage(cause), { cause });
      }
    },
  };
}

function computeOf(config: StandardConfig, baseDir: string): Compute {
  const { value, path = "", stemming = false, tolerance = 0 } = config;
  const metric = metricOf(config);
  switch (metric) {
    case "bleu":
      return against(bleu);
    case "rouge1":
      return against((answer, reference) => rouge1(answer, reference, { stemming }));
    case "rouge2":
      return against((answer, reference) => rouge2(answer, reference, { stemming }));
    case "rougeL":
      return against((answer, reference) => rougeL(answer, reference, { stemming }));
    case "meteor":
      return against(meteor);
    case "f1":
      return against(f1);
    case "exact_match":
      return against(exactMatch);
    case "contains":
      return within(textsIn(value), (answer) => contains(answer, textsIn(value)));
    case "regex":
      return (facts) => told(regex(facts.answer, String(value)), `/${String(value)}/`, facts);
    case "equality":
      return (facts) => told(equality(facts.answer, wanted(value, facts)), say(wanted(value, facts)), facts);
    case "numeric":
      return (facts) => {
        const number = wanted(value, facts);
        const expected = typeof number === "number" ? number : String(number);
        return told(numeric(facts.answer, expected, { tolerance }), withTolerance(expected, tolerance), facts);
      };
    case "response_path":
      return (facts) =>
        told(responsePath(facts, path, wanted(value, facts)), `${path} is ${say(wanted(value, facts))}`, facts);
    case "json_schema":
      return schemaMetric(config.schema, baseDir);
    default:
      throw new Error(`The metric ${metric} is measured, not computed.`);
  }
}

/** Against the ground truth. */
function against(compare: (answer: string, reference: string) => Score): Compute {
  return (facts) => {
    const reference = facts.groundTruth;
    if (reference === undefined) throw missing("ground_truth");
    return told(compare(facts.answer, reference), clipped(reference), facts);
  };
}

function within(texts: readonly string[], compare: (answer: string) => Score): Compute {
  return (facts) => told(compare(facts.answer), texts.map((each) => say(each)).join(", "), facts);
}

function textsIn(value: unknown): readonly string[] {
  return (Array.isArray(value) ? value : [value]).map(String);
}

/** What is looked for: the metric's own value, else the ground truth. */
function wanted(value: StandardConfig["value"], { groundTruth }: TurnFacts): JsonValue {
  const found = value === undefined ? groundTruth : value;
  if (found === undefined) throw missing("value, or ground_truth");
  return found;
}

function missing(what: string): MetricError {
  const field = what.split(",")[0];
  return new MetricError(`it needs ${what}, which is not there. Write ${field}, or remove the metric.`);
}

function told({ score, reason }: Score, expected: string, { answer }: TurnFacts): Scored {
  return { score, expected, received: clipped(answer), ...(reason !== undefined && { reason }) };
}

const say = (value: unknown) => describeValue(value);

function withTolerance(expected: number | string, tolerance: number): string {
  return tolerance === 0 ? String(expected) : `${expected} ± ${tolerance}`;
}
