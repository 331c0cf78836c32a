/**
 * What the end of a turn means. `success` is not success: the host also says it for a refused login and for every
 * API error, with `is_error: true` (observed on SDK 0.3.330). Everything that is not known here is an error that
 * names the value.
 */

import { windowUsedUp } from "@bridle/core";
import {
  AuthenticationError,
  BackendCrashError,
  BillingError,
  type BridleError,
  BudgetExceededError,
  ContextOverflowError,
  InvalidRequestError,
  NetworkError,
  OverloadedError,
  RateLimitError,
  StoppedError,
  StructuredOutputError,
  type TurnEnd,
  type UsageLimitError,
} from "@bridle/protocol";
import { authAdvice } from "../auth/auth-modes.ts";
import { modelNotFound } from "../models/model-names.ts";
import type { AuthMode } from "../options.ts";
import type { HostMessage, HostResult, RateLimit } from "../turn/messages.ts";
import type { StepTracker } from "../turn/step-tracker.ts";
import { type AddressFacts, isNoAnswer, mayBeNoModelApi, wrongAddress } from "./wrong-address.ts";

/** What was seen of a turn beside its result. */
export interface TurnFacts extends AddressFacts {
  model: string;
  /** The `error` of the newest assistant message. */
  assistantError?: string;
  /** The newest word of the host on its subscription window. */
  limit?: RateLimit;
  lastObject: StepTracker["lastObject"];
}

/** How the last response of a turn may end; with structured output it is a call. */
const naturalStops = ["end_turn", "stop_sequence", "tool_use"];

/** The turn's end, or the error that it is. */
export function judge(result: HostResult, facts: TurnFacts): TurnEnd | BridleError {
  if (isBudget(result)) return { reason: "budget" };
  if (result.terminal_reason === "prompt_too_long") return overflow(result);
  if (isObjectFailure(result)) return noValidObject(result, facts);
  if (result.is_error || facts.assistantError !== undefined) return errorOf(result, facts);
  if (result.subtype !== "success") return unknown("subtype", result.subtype, result);
  const reason = result.terminal_reason ?? "completed";
  if (reason !== "completed") return unknown("terminal_reason", reason, result);
  const stop = result.stop_reason ?? "end_turn";
  if (stop === "max_tokens") return tooLong(describe(result));
  if (stop === "refusal") return declined(describe(result));
  if (!naturalStops.includes(stop)) return unknown("stop_reason", stop, result);
  return { reason: "natural", ...(result.structured_output === undefined ? {} : { object: result.structured_output }) };
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

function errorOf(result: HostResult, facts: TurnFacts): BridleError {
  const text = describe(result);
  const status = result.api_error_status ?? undefined;
  switch (facts.assistantError) {
    case "authentication_failed":
    case "oauth_org_not_allowed":
    case "account_on_hold":
    case "verification_required":
    case "cloud_credential_error":
      return notAuthenticated(text, facts.auth);
    case "billing_error":
      return unpaid(text);
    case "rate_limit":
      return limited(text, facts);
    case "overloaded":
    case "server_error":
      return status === undefined ? lost(text) : new OverloadedError(`The model service failed: ${text}`);
    case "model_not_found":
      return notFound(text, result, facts);
    case "max_output_tokens":
      return tooLong(text);
    case "invalid_request":
      if (/prompt is too long/i.test(text)) return overflow(result); // it measures the prompt before it sends it
      return status === undefined ? refused(text) : byStatus(status, text, result, facts);
    default:
      return byStatus(status, text, result, facts);
  }
}

/** For errors that the host did not name. */
function byStatus(status: number | undefined, text: string, result: HostResult, facts: TurnFacts): BridleError {
  if (status === undefined) return withoutStatus(text, result, facts);
  if (status === 401 || status === 403) return notAuthenticated(text, facts.auth);
  if (status === 402) return unpaid(text);
  if (status === 404) return notFound(text, result, facts);
  if (status === 413) return overflow(result);
  if (status === 429) return limited(text, facts);
  if (status >= 500) return new OverloadedError(`The model service failed: ${text}`);
  return refused(text);
}

function withoutStatus(text: string, result: HostResult, facts: TurnFacts): BridleError {
  if (result.stop_reason === "refusal") return declined(text);
  if (result.terminal_reason?.startsWith("aborted")) return new StoppedError(`The host stopped: ${text}.`);
  if (isNoAnswer(text) && mayBeNoModelApi(facts)) return wrongAddress("what is no answer of a model");
  if (/connect|network|socket|timed? ?out|ECONN|fetch failed|stream/i.test(text)) return lost(text);
  const value = facts.assistantError ?? result.startup_failure_reason ?? result.terminal_reason ?? result.subtype;
  return new BackendCrashError(`Claude Code ended with ${value}: ${text}`);
}

function notFound(text: string, result: HostResult, facts: TurnFacts): BridleError {
  if (result.api_error_type == null && mayBeNoModelApi(facts)) return wrongAddress("status 404 and no reason");
  const hint = facts.hasBaseUrl ? " If the model is right, llm.provider.baseUrl may not be." : "";
  return modelNotFound(facts.model, `${text}.`, hint);
}

function unpaid(text: string): BillingError {
  return new BillingError(
    `The account cannot pay for this: ${text}. Add credit to it, or choose another auth or backend in bridle.yaml.`,
  );
}

function notAuthenticated(text: string, auth: AuthMode): AuthenticationError {
  const subject = /not logged in/i.test(text) ? "Claude Code is not logged in" : `Claude Code was refused: ${text}`;
  return new AuthenticationError(`${subject} (auth: ${auth}). ${authAdvice(auth)}`);
}

/**
 * A credential that is refused stays refused. On a login the host asks twice more and ends the turn by itself; with a key
 * it would ask ten times more, for three minutes (observed on 2.1.330).
 */
export function refusedForGood(message: HostMessage, auth: AuthMode): AuthenticationError | undefined {
  if (message.type !== "system" || message.subtype !== "api_retry") return undefined;
  if (message.error !== "authentication_failed" || message.attempt <= 2) return undefined;
  return notAuthenticated(`status ${message.error_status}`, auth);
}

function limited(text: string, { limit }: TurnFacts): UsageLimitError | RateLimitError {
  if (limit?.status !== "rejected" || (limit.resetsAt === undefined && limit.rateLimitType === undefined)) {
    return new RateLimitError(`The model service is limiting requests: ${text}. Ask less at once, or wait.`);
  }
  const window = limit.rateLimitType ?? "subscription";
  const resetsAt = limit.resetsAt === undefined ? undefined : new Date(limit.resetsAt * 1000);
  return windowUsedUp(window, resetsAt);
}

export function tooLong(text: string): BudgetExceededError {
  return new BudgetExceededError(
    `The answer is longer than maxOutputTokens allows: ${text}. Ask for less, or allow more.`,
  );
}

function refused(text: string): InvalidRequestError {
  return new InvalidRequestError(`The model service refused the request: ${text}`);
}

function declined(text: string): InvalidRequestError {
  return new InvalidRequestError(`The model declined to answer: ${text}`);
}

function lost(text: string): NetworkError {
  return new NetworkError(
    `The connection to the model service was lost: ${text}. Check the network, and llm.provider.baseUrl where it is set.`,
  );
}

function overflow(result: HostResult): ContextOverflowError {
  return new ContextOverflowError(
    `The prompt is too long for the model: ${describe(result)}. Shorten it, or hand over less.`,
  );
}

function noValidObject(result: HostResult, { lastObject }: TurnFacts): StructuredOutputError {
  const text = lastObject === undefined ? (result.result ?? "") : JSON.stringify(lastObject.input);
  const problem = lastObject?.problem ?? describe(result);
  return new StructuredOutputError(`No valid object came: ${describe(result)}`, text, schemaIssues(problem));
}

/** The host lists issues as `/path: message`, separated by commas or line ends (observed on 2.1.330). */
function schemaIssues(problem: string): { path: string; message: string }[] {
  const list = problem.replace(/^.*?schema:\s*/s, "");
  return list.split(/[,;\n]\s*(?=\/|root)/).map((issue) => {
    const [, path = "", message = issue] = /^(\/\S*|root):\s*(.*)$/s.exec(issue) ?? [];
    return { path: path.replace(/^(\/|root)/, "").replaceAll("/", "."), message };
  });
}

function unknown(field: string, value: string, result: HostResult): BackendCrashError {
  return new BackendCrashError(
    `Claude Code ended with ${field} "${value}", which is not known here: ${describe(result)}`,
  );
}

function describe({ result, errors, subtype }: HostResult): string {
  return (result || errors?.join("; ") || subtype).replace(/[.\s]+$/, "");
}
