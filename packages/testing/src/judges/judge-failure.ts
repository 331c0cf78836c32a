import { NoScoreError } from "@bridle/metrics";
import { type BridleError, isBridleError, StructuredOutputError } from "@bridle/protocol";
import { MetricError } from "../result/planned-metric.ts";
import type { Judgement } from "../result/trial-result.ts";

export interface FailedJudging {
  readonly judgement: Judgement | undefined;
  /** Whether the judge's own host has never answered. The judge is then not available, but other runs are not affected. */
  readonly isAbsent: boolean;
  /** Whether the score is no longer awaited. */
  readonly isCalledOff: boolean;
}

/**
 * Explains why a judged metric has no score. An error that concerns the whole invocation, such as a used-up window or a refused login, is
 * returned unchanged. Every other error becomes a MetricError with the host's error as its `cause`.
 */
export function explainJudging(error: unknown, { judgement, isAbsent, isCalledOff }: FailedJudging): unknown {
  if (error instanceof NoScoreError) return metricError(error.message, error, judgement);
  if (!isBridleError(error)) return error;
  if (isCalledOff || error.code === "usage_limit") return error;
  if (error.code === "authentication" && !isAbsent) return error;
  return metricError(formatFailure(error), error, judgement);
}

/** The codes of errors that mean that no judge is available. */
const absent: readonly BridleError["code"][] = ["config", "authentication", "model_not_found", "unsupported_feature"];

function formatFailure(error: BridleError): string {
  if (absent.includes(error.code)) return `it has no judge: ${error.message}`;
  if (!(error instanceof StructuredOutputError)) return `its judge failed: ${error.message}`;
  const issues = error.issues.map(({ path, message }) => (path === "" ? message : `${path}: ${message}`));
  const told = issues.slice(0, maxListed).join("; ") || error.message;
  return `the judge's answer does not match the schema: ${sentence(told)} The judge did not correct it when asked again. Choose another model in evaluations.model.`;
}

const maxListed = 3;

function sentence(text: string): string {
  return /[.!?]$/.test(text) ? text : `${text}.`;
}

function metricError(message: string, cause: unknown, judgement: Judgement | undefined): MetricError {
  return new MetricError(message, { cause, ...(judgement && { judgement }) });
}
