export { describeValue } from "./calls/describe-value.ts";
export { describeCall, type ExpectedCall, type MadeCall } from "./calls/expected-call.ts";
export { type CallMatch, matchCalls } from "./calls/match-calls.ts";
export { answerRelevancy } from "./judged/answer-relevancy.ts";
export { contextualPrecision } from "./judged/contextual-precision.ts";
export { contextualRecall } from "./judged/contextual-recall.ts";
export { contextualRelevancy } from "./judged/contextual-relevancy.ts";
export { faithfulness } from "./judged/faithfulness.ts";
export { type GevalOptions, type GevalParam, geval } from "./judged/geval.ts";
export {
  type Judge,
  type Judged,
  type JudgedFacts,
  type JudgedMetric,
  NotJudgedError,
  type Question,
  type ReasonOptions,
} from "./judged/judge.ts";
export { type RubricLevel, rubric } from "./judged/rubric.ts";
export { meteor } from "./meteor/meteor.ts";
export { createSchemaCheck } from "./structure/json-schema.ts";
export { responsePath } from "./structure/response-path.ts";
export type { StructuredAnswer } from "./structure/structured-answer.ts";
export { bleu } from "./text/bleu.ts";
export { contains } from "./text/contains.ts";
export { equality } from "./text/equality.ts";
export { exactMatch } from "./text/exact-match.ts";
export { shortened } from "./text/excerpt.ts";
export { f1 } from "./text/f1.ts";
export { type NumericSettings, numeric } from "./text/numeric.ts";
export { regex } from "./text/regex.ts";
export { type RougeSettings, rouge1, rouge2, rougeL } from "./text/rouge.ts";
export type { Score } from "./text/score.ts";
export { type Direction, passes } from "./trials/passes.ts";
export { mean, passAtK, passHatK, sampleDeviation } from "./trials/statistics.ts";
