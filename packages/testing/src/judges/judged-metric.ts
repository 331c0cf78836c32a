import {
  answerRelevancy,
  contextualPrecision,
  contextualRecall,
  contextualRelevancy,
  faithfulness,
  geval,
  type JudgedFacts,
  type JudgedMetric,
  type ReasonOptions,
  rubric,
} from "@bridle/metrics";
import { canonicalJson } from "@bridle/protocol";
import { metricName } from "../checks/metric-name.ts";
import type { PlannedMetric } from "../checks/planned-metric.ts";
import type { TurnFacts } from "../checks/turn-facts.ts";
import type { Judges } from "./create-judges.ts";
import type { JudgedConfig } from "./judged-config.ts";

const defaultThreshold = 0.5;

/** A metric of the file that a model judges, ready to be used. */
export function judgedMetric(config: JudgedConfig, judges: Judges): PlannedMetric {
  const name = metricName(config);
  const metric = metricOf(config, judges);
  return {
    ...{ name, type: config.type, metric: config.type === "rag" ? config.metric_type : config.type },
    ...{ threshold: config.threshold ?? defaultThreshold, passes: "at-least", unit: null },
    async score(facts, signal) {
      const labels = { case: facts.caseName, turn: String(facts.turn), metric: name };
      const call = { model: config.model, labels, signal };
      const { given, judgement } = await judges.judge(call, (judge) => metric(judgedFacts(facts), judge));
      return { ...given, ...(judgement && { judgement }) };
    },
  };
}

function judgedFacts({ input, answer, groundTruth, retrievalContext }: TurnFacts): JudgedFacts {
  return { input, answer, retrievalContext, ...(groundTruth !== undefined && { groundTruth }) };
}

type Rag = Extract<JudgedConfig, { type: "rag" }>;

const ofRetrieval: Readonly<Record<Rag["metric_type"], (options: ReasonOptions) => JudgedMetric>> = {
  faithfulness,
  answer_relevancy: answerRelevancy,
  contextual_relevancy: contextualRelevancy,
  contextual_precision: contextualPrecision,
  contextual_recall: contextualRecall,
};

function metricOf(config: JudgedConfig, judges: Judges): JudgedMetric {
  switch (config.type) {
    case "geval":
      return byCriteria(config, judges);
    case "rag":
      return ofRetrieval[config.metric_type]({ includeReason: config.include_reason ?? true });
    case "rubric":
      return rubric(config.levels);
  }
}

/** The same one for the same settings, wherever they stand, so that all cases are judged by the same steps. */
function byCriteria(config: Extract<JudgedConfig, { type: "geval" }>, judges: Judges): JudgedMetric {
  const { criteria, evaluation_steps: steps, evaluation_params: params, strict_mode: strict, model } = config;
  const key = canonicalJson({ criteria, steps, params, strict, model });
  const options = { criteria, ...(steps && { steps }), ...(params && { params }), ...(strict && { strict }) };
  const metric = judges.byCriteria.get(key) ?? geval(options);
  judges.byCriteria.set(key, metric);
  return metric;
}
