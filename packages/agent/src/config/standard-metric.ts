import { z } from "zod";
import { commonFields } from "./common-metric-fields.ts";
import { flag, refused, text } from "./fields.ts";
import { expressionFault } from "./matcher-problems.ts";

/** Names of metrics that are computed, without a model. */
const computed = [
  ...["bleu", "rouge", "rouge1", "rouge2", "rougeL", "meteor", "f1", "f1_score", "exact_match", "contains", "regex"],
  ...["equality", "numeric", "json_schema", "response_path", "latency", "cost", "steps"],
] as const;

type Metric = (typeof computed)[number];

/** Which of them read a setting. */
const readers = {
  value: ["contains", "regex", "equality", "numeric", "response_path"],
  path: ["response_path"],
  schema: ["json_schema"],
  tolerance: ["numeric"],
  stemming: ["rouge", "rouge1", "rouge2", "rougeL"],
} as const satisfies Readonly<Record<string, readonly Metric[]>>;

type Setting = keyof typeof readers;

const settings: readonly Setting[] = ["value", "path", "schema", "tolerance", "stemming"];

/** What some of them cannot do without. */
const needs: Partial<Readonly<Record<Metric, { setting: Setting | "threshold"; remedy: string }>>> = {
  contains: { setting: "value", remedy: "Write the text that has to be there, or a list of them." },
  regex: { setting: "value", remedy: "Write the regular expression that has to be found." },
  response_path: { setting: "path", remedy: "Write where the value stands in the answer, such as order.id." },
  json_schema: { setting: "schema", remedy: "Write the JSON Schema, or a file with it." },
  latency: { setting: "threshold", remedy: "Write the most seconds that a turn may take." },
  cost: { setting: "threshold", remedy: "Write the most US dollars that a turn may cost." },
  steps: { setting: "threshold", remedy: "Write the most responses of the model that a turn may take." },
};

/** What other runners compute by a model, and what does so here. */
const judged: Readonly<Record<string, string>> = {
  groundedness: "Use the type rag with faithfulness",
  relevance: "Use the type rag with answer_relevancy",
  ...Object.fromEntries(
    ["coherence", "fluency", "safety"].map((name) => [name, "Use the type geval, with criteria in your words"]),
  ),
};

function metricFault(input: unknown): string | undefined {
  const remedy = typeof input === "string" && Object.hasOwn(judged, input) ? judged[input] : undefined;
  return remedy === undefined ? undefined : `is ${input}, which no formula gives. ${remedy}`;
}

const asExactMatch = refused("use exact_match, which looks at neither case, nor ASCII punctuation, nor articles.");

/** A metric that is computed from the answer and what is known of its turn. */
export const standardMetric = z
  .strictObject({
    type: z.literal("standard").describe("A metric that is computed."),
    metric: z
      .enum(computed, { error: ({ input }) => metricFault(input) })
      .describe("Its name. rouge is rougeL, and f1_score is f1."),
    ...commonFields,
    value: z
      .json()
      .exactOptional()
      .describe(
        "What contains, regex, equality, numeric and response_path look for. Default of the last three: ground_truth.",
      ),
    path: text("response_path: the path in the answer's object, such as order.id.").exactOptional(),
    schema: z
      .union([z.string().min(1), z.record(z.string(), z.unknown())])
      .exactOptional()
      .describe("json_schema: the JSON Schema, or a file with it."),
    tolerance: z.number().min(0).exactOptional().describe("numeric: how far off a number may be. Default: 0."),
    stemming: flag("rouge: whether words count by their stems. Default: false.").exactOptional(),
    model: refused("a computed metric asks no model. Remove it, or use the type geval or rag."),
    scale: refused("scores are from 0 to 1. Remove it, and set threshold."),
    retry_on_failure: refused(
      "a computed metric gives the same each time. Remove it; --trials runs cases several times.",
    ),
    timeout_ms: refused("a computed metric takes no time to speak of. Remove it."),
    custom_prompt: refused("write what is judged as criteria of a metric of the type geval."),
    ...{ case_insensitive: asExactMatch, strip_whitespace: asExactMatch, strip_punctuation: asExactMatch },
    absolute_tolerance: refused("it is tolerance here."),
    relative_tolerance: refused("write tolerance, in the number's own unit."),
    accept_percent: refused("12 % is read as 12. Write the number without the sign, and remove this."),
    accept_thousands_separators: refused("they are always read. Remove it."),
  })
  .check(({ value, issues }) => {
    const problem = (path: string, message: string) =>
      issues.push({ code: "custom", input: value, path: [path], message });
    const { metric } = value;
    const needed = needs[metric];
    if (needed !== undefined && value[needed.setting] === undefined) {
      problem(needed.setting, `is missing, which the metric ${metric} needs. ${needed.remedy}`);
    }
    for (const setting of settings) {
      const known: readonly Metric[] = readers[setting];
      if (value[setting] === undefined || known.includes(metric)) continue;
      problem(setting, `is nothing that the metric ${metric} reads; ${known.join(", ")} does. Remove it.`);
    }
    if (needed?.setting !== "threshold" && value.threshold !== undefined && value.threshold > 1) {
      problem("threshold", `is more than 1, which no score of ${metric} is. Write a share, such as 0.5.`);
    }
    const fault = valueFault(metric, value.value);
    if (fault !== undefined) problem("value", fault);
  });

/** Why a metric cannot look for this value. */
function valueFault(metric: Metric, value: unknown): string | undefined {
  if (value === undefined) return undefined;
  if (metric === "regex")
    return typeof value === "string" ? expressionFault(value) : "has to be a regular expression, as a text";
  if (metric === "numeric") return typeof value === "number" ? undefined : "has to be a number";
  if (metric !== "contains") return undefined;
  const texts = Array.isArray(value) ? value : [value];
  const isText = (each: unknown) => typeof each === "string" && each.trim() !== "";
  if (texts.length > 0 && texts.every(isText)) return undefined;
  const remedy = texts.some((each) => typeof each === "number") ? ". Write numbers in quotation marks" : "";
  return `has to be a text, or a list of texts, none of them empty${remedy}`;
}
