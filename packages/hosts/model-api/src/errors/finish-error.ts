/** Creates the errors with which a response ends although its request succeeded. */

import { contextOverflowError, outputLimitError } from "@bridle/host-shared";
import { BackendCrashError, type BridleError, InvalidRequestError } from "@bridle/protocol";

interface FinishReason {
  /** The reason by its name in the AI SDK. */
  unified: string;
  /** The reason by its name on the host. */
  raw: string | undefined;
}

interface AnswerFacts {
  /** The number of tool calls in the answer. */
  calls: number;
  maxOutputTokens: number | undefined;
}

/** Returns the error for a finish reason, or `undefined` if the answer is complete. */
export function finishError({ unified, raw }: FinishReason, answer: AnswerFacts): BridleError | undefined {
  const reason = raw ?? unified;
  if (unified === "length") {
    return raw === "model_context_window_exceeded"
      ? contextOverflowError(raw)
      : outputLimitError(describeLimit(answer));
  }
  if (unified === "content-filter") {
    return new InvalidRequestError(`The model declined to answer (${reason}). Change the request.`);
  }
  if (unified === "tool-calls" && answer.calls === 0) {
    return new BackendCrashError(`The model ended its answer with "${reason}", but called no tool. Try again.`);
  }
  const isComplete = unified === "stop" || unified === "tool-calls";
  if (isComplete && raw !== "pause_turn") return undefined;
  return new BackendCrashError(`The model ended its answer with an unknown reason, "${reason}".`);
}

function describeLimit({ maxOutputTokens }: AnswerFacts): string {
  return maxOutputTokens === undefined
    ? "it reached the model's own limit"
    : `it reached maxOutputTokens (${maxOutputTokens})`;
}
