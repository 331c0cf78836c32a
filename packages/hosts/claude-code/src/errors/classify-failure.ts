/**
 * Classifies the end of a turn. `success` does not mean success: the host also reports it for a refused login and for every API error, with
 * `is_error: true` (observed on SDK 0.3.330). An unknown value becomes an error that contains the value.
 */

import {
  billingError,
  classifyFailure,
  contextOverflowError,
  invalidRequestError,
  limitError,
  outputLimitError,
  overloadedError,
} from "@bridle/host-shared";
import {
  type AuthenticationError,
  BackendCrashError,
  type BridleError,
  omitUndefined,
  StoppedError,
  type TurnEnd,
} from "@bridle/protocol";
import type { HostMessage, HostResult, RateLimit } from "../messages/messages.ts";
import type { ObjectAttempt } from "../messages/step-tracker.ts";
import type { ClaudeAuthMode } from "../options.ts";
import { redirectErrorFrom, reportsUnreachable } from "../relay/answers.ts";
import {
  connectionError,
  declinedError,
  describeResult,
  invalidObjectError,
  loginError,
  unknownModelError,
  unknownValueError,
  usedUpWindowName,
} from "./failure-errors.ts";
import { type AddressFacts, isNoModelResponse, mayBeNoModelApi, wrongAddressError } from "./wrong-address.ts";

/** The facts about a turn that its result does not contain. */
export interface HostTurnFacts extends AddressFacts {
  model: string;
  /** The `error` of the newest assistant message. */
  assistantError?: string | undefined;
  /** The newest report of the subscription's window. */
  limit?: RateLimit | undefined;
  lastObject: ObjectAttempt | undefined;
}

/** The reasons with which the last response normally ends. With structured output, the response ends with a call. */
const naturalStops = ["end_turn", "stop_sequence", "tool_use"];

/** Returns the end of the turn, or its error. */
export function classifyResult(result: HostResult, facts: HostTurnFacts): TurnEnd | BridleError {
  if (isBudget(result)) return { reason: "budget" };
  const text = describeResult(result);
  if (result.terminal_reason === "prompt_too_long") return contextOverflowError(text);
  if (isObjectFailure(result)) return invalidObjectError(result, facts.lastObject);
  if (result.is_error || facts.assistantError !== undefined) return toFailureError(result, facts);
  if (result.subtype !== "success") return unknownValueError("subtype", result.subtype, text);
  const reason = result.terminal_reason ?? "completed";
  if (reason !== "completed") return unknownValueError("terminal_reason", reason, text);
  const stop = result.stop_reason ?? "end_turn";
  if (stop === "max_tokens") return outputLimitError(text);
  if (stop === "refusal") return declinedError(text);
  if (!naturalStops.includes(stop)) return unknownValueError("stop_reason", stop, text);
  return omitUndefined({ reason: "natural" as const, object: result.structured_output });
}

/**
 * Returns an error as soon as credentials are refused, because the host repeats the request although they stay refused: with a login twice,
 * with a key ten times, for three minutes (observed on 2.1.330).
 */
export function refusedForGood(message: HostMessage, auth: ClaudeAuthMode): AuthenticationError | undefined {
  if (message.type !== "system" || message.subtype !== "api_retry") return undefined;
  if (message.error !== "authentication_failed" || message.attempt <= 2) return undefined;
  return loginError(`status ${message.error_status}`, auth);
}

function isBudget({ subtype, terminal_reason, stop_reason }: HostResult): boolean {
  return (
    ["error_max_turns", "error_max_budget_usd"].includes(subtype) ||
    ["max_turns", "budget_exhausted"].includes(terminal_reason ?? "") ||
    stop_reason === "max_turns"
  );
}

function isObjectFailure({ subtype, terminal_reason }: HostResult): boolean {
  return subtype === "error_max_structured_output_retries" || terminal_reason === "structured_output_retry_exhausted";
}

function toFailureError(result: HostResult, facts: HostTurnFacts): BridleError {
  const text = describeResult(result);
  const redirectError = redirectErrorFrom(text);
  if (redirectError !== undefined) return redirectError;
  if (reportsUnreachable(text)) return connectionError(text);
  const status = result.api_error_status ?? undefined;
  const { assistantError } = facts;
  const isOtherAddress = mayBeNoModelApi(facts);
  const isTyped = result.api_error_type != null;
  const isOwnEnd = result.stop_reason === "refusal" || result.terminal_reason?.startsWith("aborted");
  const failureClass = classifyFailure({
    status,
    codes: assistantError === undefined ? [] : [assistantError],
    message: isOwnEnd ? "" : text, // a refusal is the model's own text, and not the service's report
    isExplained: isTyped || !isOtherAddress,
    isGarbled: isOtherAddress && isNoModelResponse(text),
  });
  switch (failureClass) {
    case "authentication":
      return loginError(text, facts.auth);
    case "billing":
      return billingError(text, "llm.provider");
    case "budget_exceeded":
      return outputLimitError(text);
    case "config":
      return isOtherAddress ? wrongAddressError(status) : invalidRequestError(text);
    case "context_overflow":
      return contextOverflowError(text);
    case "invalid_request":
      return invalidRequestError(text);
    case "model_not_found":
      // the host reports every 404 as an unknown model, but only a model API adds a type
      return isOtherAddress && !isTyped ? wrongAddressError(404) : unknownModelError(text, facts);
    case "overloaded":
      return status === undefined ? connectionError(text) : overloadedError(text); // without a status, there was no answer
    case "rate_limit":
      return limitError(text, usedUpWindowName(facts.limit));
    default:
      return classifyText(text, result, facts);
  }
}

/** Classifies failures without a known name and a status. */
function classifyText(text: string, result: HostResult, { assistantError }: HostTurnFacts): BridleError {
  if (result.stop_reason === "refusal") return declinedError(text);
  if (result.terminal_reason?.startsWith("aborted")) return new StoppedError(`The host stopped: ${text}.`);
  if (/connect|network|socket|timed? ?out|ECONN|fetch failed|stream/i.test(text)) return connectionError(text);
  const value = assistantError ?? result.startup_failure_reason ?? result.terminal_reason ?? result.subtype;
  return new BackendCrashError(`Claude Code ended with ${value}: ${text}`);
}
