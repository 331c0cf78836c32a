import { NoScoreError } from "@bridle/metrics";
import { type BridleError, isBridleError, StructuredOutputError } from "@bridle/protocol";
import { MetricError } from "../metrics/planned-metric.ts";
import type { Judgement } from "../result/trial-result.ts";

export interface FailedJudging {
  readonly judgement: Judgement | undefined;
  /** The judge has a host of its own that never answered: it is not there, whatever else goes on. */
  readonly isAbsent: boolean;
  /** Nobody waits for the score any more. */
  readonly isCalledOff: boolean;
}

/**
 * Why a metric that a model judges has no score. What concerns the whole invocation stays as it is: a used-up window, a
 * login that is refused. All else is a MetricError, whose `cause` is the error of the host.
 */
export function explainJudging(error: unknown, { judgement, isAbsent, isCalledOff }: FailedJudging): unknown {
  if (error instanceof NoScoreError) return metricError(error.message, error, judgement);
  if (!isBridleError(error)) return error;
  if (isCalledOff || error.code === "usage_limit") return error;
  if (error.code === "authentication" && !isAbsent) return error;
  return metricError(sayFailure(error), error, judgement);
}

/** Errors that say that there is nobody to ask. */
const absent: readonly BridleError["code"][] = ["config", "authentication", "model_not_found", "unsupported_feature"];

function sayFailure(error: BridleError): string {
  if (absent.includes(error.code)) return `it has no judge: ${error.message}`;
  if (!(error instanceof StructuredOutputError)) return `its judge failed: ${error.message}`;
  const issues = error.issues.map(({ path, message }) => (path === "" ? message : `${path}: ${message}`));
  const told = issues.slice(0, mostTold).join("; ") || error.message;
  return `the judge answered nonsense: ${sentence(told)} It was asked again, and did not mend it. Choose another model in evaluations.model.`;
}

const mostTold = 3;

function sentence(text: string): string {
  return /[.!?]$/.test(text) ? text : `${text}.`;
}

function metricError(message: string, cause: unknown, judgement: Judgement | undefined): MetricError {
  return new MetricError(message, { cause, ...(judgement && { judgement }) });
}
