/**
 * Classifies the end of a turn. `success` does not mean success: the host also reports it for a refused login and for
 * every API error, with `is_error: true` (observed on SDK 0.3.330). An unknown value becomes an error that names it.
 */
import {
  type AuthenticationError,
  BackendCrashError,
  type BridleError,
  InvalidRequestError,
  NetworkError,
  omitUndefined,
  OverloadedError,
  StoppedError,
  type TurnEnd,
} from "@bridle/core";
import type { AuthMode } from "../options.ts";
import type { HostMessage, HostResult, RateLimit } from "../turn/messages.ts";
import type { ObjectAttempt } from "../turn/step-tracker.ts";
import {
  answerTooLong,
  billingError,
  contextOverflow,
  describeResult,
  invalidObject,
  limitError,
  loginError,
  modelDeclined,
  unknownModel,
  unknownValue,
} from "./failure-errors.ts";
import { type AddressFacts, isNoModelResponse, mayBeNoModelApi, wrongAddressError } from "./wrong-address.ts";

/** The facts about a turn that its result does not contain. */
export interface TurnFacts extends AddressFacts {
  model: string;
  /** The `error` of the newest assistant message. */
  assistantError?: string | undefined;
  /** The newest report of the subscription's window. */
  limit?: RateLimit | undefined;
  lastObject: ObjectAttempt | undefined;
}

/** The normal ends of the last response; with structured output it ends with a call. */
const naturalStops = ["end_turn", "stop_sequence", "tool_use"];

/** The end of the turn, or its error. */
export function classifyResult(result: HostResult, facts: TurnFacts): TurnEnd | BridleError {
  if (isBudget(result)) return { reason: "budget" };
  if (result.terminal_reason === "prompt_too_long") return contextOverflow(result);
  if (isObjectFailure(result)) return invalidObject(result, facts.lastObject);
  if (result.is_error || facts.assistantError !== undefined) return classifyFailure(result, facts);
  if (result.subtype !== "success") return unknownValue("subtype", result.subtype, result);
  const reason = result.terminal_reason ?? "completed";
  if (reason !== "completed") return unknownValue("terminal_reason", reason, result);
  const stop = result.stop_reason ?? "end_turn";
  if (stop === "max_tokens") return answerTooLong(describeResult(result));
  if (stop === "refusal") return modelDeclined(describeResult(result));
  if (!naturalStops.includes(stop)) return unknownValue("stop_reason", stop, result);
  return omitUndefined({ reason: "natural" as const, object: result.structured_output });
}

/**
 * The host repeats a request although refused credentials stay refused. With a login it repeats twice and then ends the
 * turn. With a key it would repeat ten times, for three minutes (observed on 2.1.330).
 */
export function refusedForGood(message: HostMessage, auth: AuthMode): AuthenticationError | undefined {
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

function classifyFailure(result: HostResult, facts: TurnFacts): BridleError {
  const text = describeResult(result);
  const status = result.api_error_status ?? undefined;
  switch (facts.assistantError) {
    case "authentication_failed":
    case "oauth_org_not_allowed":
    case "account_on_hold":
    case "verification_required":
    case "cloud_credential_error":
      return loginError(text, facts.auth);
    case "billing_error":
      return billingError(text);
    case "rate_limit":
      return limitError(text, facts.limit);
    case "overloaded":
    case "server_error":
      return status === undefined ? connectionLost(text) : serviceFailed(text);
    case "model_not_found":
      return classifyNotFound(text, result, facts);
    case "max_output_tokens":
      return answerTooLong(text);
    case "invalid_request":
      if (/prompt is too long/i.test(text)) return contextOverflow(result); // the host measures the prompt before it sends it
      return status === undefined ? requestRefused(text) : classifyStatus(status, text, result, facts);
    default:
      return status === undefined
        ? classifyText(text, result, facts)
        : classifyStatus(status, text, result, facts);
  }
}

/** For failures that the host does not name. */
function classifyStatus(status: number, text: string, result: HostResult, facts: TurnFacts): BridleError {
  if (status === 401 || status === 403) return loginError(text, facts.auth);
  if (status === 402) return billingError(text);
  if (status === 404) return classifyNotFound(text, result, facts);
  if (status === 413) return contextOverflow(result);
  if (status === 429) return limitError(text, facts.limit);
  if (status >= 500) return serviceFailed(text);
  return requestRefused(text);
}

/** For failures without a name and a status. */
function classifyText(text: string, result: HostResult, facts: TurnFacts): BridleError {
  if (result.stop_reason === "refusal") return modelDeclined(text);
  if (result.terminal_reason?.startsWith("aborted")) return new StoppedError(`The host stopped: ${text}.`);
  if (isNoModelResponse(text) && mayBeNoModelApi(facts)) return wrongAddressError("a response that is not of a model");
  if (/connect|network|socket|timed? ?out|ECONN|fetch failed|stream/i.test(text)) return connectionLost(text);
  const value = facts.assistantError ?? result.startup_failure_reason ?? result.terminal_reason ?? result.subtype;
  return new BackendCrashError(`Claude Code ended with ${value}: ${text}`);
}

function classifyNotFound(text: string, result: HostResult, facts: TurnFacts): BridleError {
  if (result.api_error_type == null && mayBeNoModelApi(facts)) return wrongAddressError("status 404 without a reason");
  return unknownModel(text, facts);
}

function serviceFailed(text: string): OverloadedError {
  return new OverloadedError(`The model service failed: ${text}`);
}

function requestRefused(text: string): InvalidRequestError {
  return new InvalidRequestError(`The model service refused the request: ${text}`);
}

function connectionLost(text: string): NetworkError {
  return new NetworkError(
    `The connection to the model service was lost: ${text}. Check the network, and llm.provider.baseUrl if it is set.`,
  );
}
