/** All metrics. To add one, write its file with a definition, and add one line here. */
import { codeMetric } from "./code/code.ts";
import { anlsMetric } from "./distance/anls.ts";
import { levenshteinMetric } from "./distance/levenshtein.ts";
import { answerRelevancyMetric } from "./judged/answer-relevancy.ts";
import { contextualPrecisionMetric } from "./judged/contextual-precision.ts";
import { contextualRecallMetric } from "./judged/contextual-recall.ts";
import { contextualRelevancyMetric } from "./judged/contextual-relevancy.ts";
import { faithfulnessMetric } from "./judged/faithfulness.ts";
import { gevalMetric } from "./judged/geval.ts";
import { rubricMetric } from "./judged/rubric.ts";
import { costMetric } from "./measured/cost.ts";
import { latencyMetric } from "./measured/latency.ts";
import { stepsMetric } from "./measured/steps.ts";
import { meteorMetric } from "./meteor/meteor.ts";
import { mrrMetric } from "./ranking/mrr.ts";
import { ndcgMetric } from "./ranking/ndcg.ts";
import { semanticSimilarityMetric } from "./similarity/semantic-similarity.ts";
import { atResponsePath } from "./structure/at-response-path.ts";
import { equalityMetric } from "./structure/equality.ts";
import { jsonSchemaMetric } from "./structure/json-schema.ts";
import { responsePathMetric } from "./structure/response-path.ts";
import { containsMetric } from "./text/contains.ts";
import { exactMatchMetric } from "./text/exact-match.ts";
import { numericMetric } from "./text/numeric.ts";
import { regexMetric } from "./text/regex.ts";
import { bleuMetric } from "./wording/bleu.ts";
import { f1Metric } from "./wording/f1.ts";
import { jaccardMetric } from "./wording/jaccard.ts";
import { rouge1Metric, rouge2Metric, rougeLMetric } from "./wording/rouge.ts";

/** All metrics, in the order in which the documentation lists them. */
export const metrics = [
  atResponsePath(exactMatchMetric),
  atResponsePath(containsMetric),
  atResponsePath(regexMetric),
  atResponsePath(numericMetric),
  atResponsePath(f1Metric),
  atResponsePath(rouge1Metric),
  atResponsePath(rouge2Metric),
  atResponsePath(rougeLMetric),
  atResponsePath(bleuMetric),
  atResponsePath(meteorMetric),
  atResponsePath(jaccardMetric),
  atResponsePath(levenshteinMetric),
  atResponsePath(anlsMetric),
  atResponsePath(semanticSimilarityMetric),
  mrrMetric,
  ndcgMetric,
  atResponsePath(equalityMetric),
  responsePathMetric,
  jsonSchemaMetric,
  latencyMetric,
  costMetric,
  stepsMetric,
  gevalMetric,
  rubricMetric,
  faithfulnessMetric,
  answerRelevancyMetric,
  contextualRelevancyMetric,
  contextualPrecisionMetric,
  contextualRecallMetric,
  codeMetric,
] as const;
