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
export { mean, passAtK, passHatK, sampleDeviation } from "./trials/statistics.ts";
