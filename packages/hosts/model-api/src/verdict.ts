/**
 * What a failed request means, the same on every backend: by the host's own word for it where that is known, else by
 * the status.
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
  ModelNotFoundError,
  NetworkError,
  nearest,
  OverloadedError,
  RateLimitError,
  type UsageLimitError,
} from "@bridle/protocol";
import { causeOf, type Failure, readFailure } from "./failure.ts";
import { readLimit } from "./limits.ts";
import { wrongAddress } from "./transport.ts";

/** What is known of the request that failed. */
export interface RequestFacts {
  backend: string;
  baseUrl: string;
  /** The part of `bridle.yaml` that the settings stand in. Default `llm.provider`. */
  section?: string;
  model: string;
  /** What to do about refused credentials, as a sentence. */
  authRemedy: string;
  knownModels: readonly string[];
  /** Takes credentials out of what a host said. */
  conceal(text: string): string;
}

/** The typed error for whatever a provider module threw. */
export function judge(error: unknown, facts: RequestFacts): BridleError {
  const found = readFailure(error);
  if (found.typed) return found.typed;
  const tell = (text: string) => brief(facts.conceal(text));
  const failure = { ...found, message: tell(found.message) };
  const verdict = byCode(failure, facts) ?? byStatus(failure, facts);
  return Object.defineProperty(verdict, "cause", { value: causeOf(error, tell) });
}

/** Characters of what a host said: some repeat the whole request. */
const longest = 2_000;

function brief(text: string): string {
  return text.length > longest ? `${text.slice(0, longest)}…` : text;
}

const overflowing = /prompt is too long|input is too long|maximum context length|context window|context length/i;
const overflowCodes = ["context_length_exceeded", "model_context_window_exceeded", "request_too_large"];
const unpaid = /credit balance|insufficient (quota|credits|funds)|exceeded your current quota|payment instrument/i;
const billingCodes = ["insufficient_quota", "billing_error", "billing_hard_limit_reached", "insufficient_funds"];
/** Where a host has no code for it: Bedrock, Ollama, vLLM. */
const noModel =
  /model identifier is invalid|model \S+ (does not exist|is not found|not found)|unknown model|no such model/i;
const authCodes = ["authentication_error", "invalid_api_key", "permission_error", "AccessDeniedException"];
/** Google's library, where it finds no login or the login has ended. */
const noLogin = /default credentials|invalid_grant|refresh access token/i;
const overloadCodes = ["overloaded_error", "server_is_overloaded", "slow_down", "ServiceUnavailableException"];

function byCode(failure: Failure, facts: RequestFacts): BridleError | undefined {
  const { codes, message, status } = failure;
  const is = (known: readonly string[]) => codes.some((code) => known.includes(code));
  if (is(overflowCodes) || (status !== 429 && overflowing.test(message))) return overflow(message);
  if (is(billingCodes) || unpaid.test(message)) return unpaidFor(message, facts);
  if (is(["model_not_found"]) || (status !== 401 && noModel.test(message))) return modelNotFound(message, facts);
  if (is(authCodes) || noLogin.test(message)) return notAuthenticated(message, facts);
  if (is(["rate_limit_error", "rate_limit_exceeded", "ThrottlingException"])) return limited(failure);
  if (is(overloadCodes) || is(["api_error", "server_error", "internal_server_error"])) return failed(message);
  if (is(["invalid_request_error"]) && status === undefined) return refused(message);
  return undefined;
}

/** The host gave up waiting for the request, or did not want it yet. */
const notReady = [408, 425];

function byStatus(failure: Failure, facts: RequestFacts): BridleError {
  const { status, message } = failure;
  if (failure.unfinished) return cutOff(facts);
  if (failure.garbled && !failure.explained && (status === undefined || status < 400)) {
    return wrongAddress(facts, `something that is no message of this protocol (${message.slice(0, 200)})`);
  }
  if (status === undefined || status < 400)
    return new BackendCrashError(`The backend ${facts.backend} failed: ${message}`);
  if (status === 401 || status === 403) return notAuthenticated(message, facts);
  if (status === 402) return unpaidFor(message, facts);
  if (status === 405 || (status === 404 && !failure.explained)) return wrongAddress(facts, `the bare status ${status}`);
  if (status === 404) return modelNotFound(message, facts);
  if (status === 413) return overflow(message);
  if (status === 429) return limited(failure);
  return status >= 500 || notReady.includes(status) ? failed(message) : refused(message);
}

function notAuthenticated(message: string, { backend, authRemedy }: RequestFacts): AuthenticationError {
  return new AuthenticationError(`The backend ${backend} refused the credentials: ${sentence(message)} ${authRemedy}`);
}

/** The error for a model that cannot be used on a backend. */
export function modelNotFound(
  reason: string,
  {
    backend,
    baseUrl,
    model,
    knownModels,
  }: Pick<RequestFacts, "backend" | "model" | "knownModels"> & { baseUrl?: string },
): ModelNotFoundError {
  const near = nearest(
    model,
    knownModels.filter((known) => known !== model),
  );
  const hint = near.length > 0 ? `Did you mean ${near.join(", ")}?` : 'Name another, such as "bridle models" lists.';
  const where = baseUrl === undefined ? "" : ` If the model is right, the base URL ${baseUrl} may not be.`;
  const message = `The model "${model}" cannot be used on ${backend}: ${sentence(reason)} ${hint}${where}`;
  return new ModelNotFoundError(message, model, near);
}

function limited({ headers, message }: Failure): UsageLimitError | RateLimitError {
  const limit = readLimit(headers);
  if (limit?.status !== "rejected") {
    return new RateLimitError(
      `The model service is limiting requests: ${sentence(message)} Ask less at once, or wait.`,
    );
  }
  return windowUsedUp(limit.window, limit.resetsAt);
}

function unpaidFor(message: string, { section = "llm.provider" }: RequestFacts): BillingError {
  return new BillingError(
    `The account cannot pay for this: ${sentence(message)} Add credit to it, or choose another account or backend in ${section}.`,
  );
}

function overflow(message: string): ContextOverflowError {
  return new ContextOverflowError(
    `The prompt is too long for the model: ${sentence(message)} Shorten it, or hand over less.`,
  );
}

function failed(message: string): OverloadedError {
  return new OverloadedError(`The model service failed: ${sentence(message)} Try again later.`);
}

function refused(message: string): InvalidRequestError {
  return new InvalidRequestError(`The model service refused the request: ${message}`);
}

/** An answer that ended before it was complete. */
export function cutOff({ backend, baseUrl }: Pick<RequestFacts, "backend" | "baseUrl">): NetworkError {
  return new NetworkError(
    `The answer of the backend ${backend} broke off before its end (${baseUrl}). Check the network, and try again.`,
  );
}

interface Finish {
  unified: string;
  raw: string | undefined;
}

/** The error that a reason to finish is, or undefined where the answer is whole. */
export function judgeFinish(
  { unified, raw }: Finish,
  answer: { calls: number; maxOutputTokens: number | undefined },
): BridleError | undefined {
  const named = raw ?? unified;
  if (unified === "length") return raw === "model_context_window_exceeded" ? overflow(raw) : tooLong(answer);
  if (unified === "content-filter") {
    return new InvalidRequestError(`The model declined to answer (${named}). Ask for something else.`);
  }
  if (unified === "tool-calls" && answer.calls === 0) {
    return new BackendCrashError(`The model ended its answer with "${named}", and there was no call in it. Try again.`);
  }
  const isWhole = unified === "stop" || unified === "tool-calls";
  if (isWhole && raw !== "pause_turn") return undefined;
  return new BackendCrashError(`The model ended its answer with "${named}", which is not known here.`);
}

function tooLong({ maxOutputTokens }: { maxOutputTokens: number | undefined }): BudgetExceededError {
  const limit = maxOutputTokens === undefined ? "the model gives at once" : "maxOutputTokens allows";
  const cut = maxOutputTokens === undefined ? "" : `: it was cut at ${maxOutputTokens} tokens`;
  return new BudgetExceededError(`The answer is longer than ${limit}${cut}. Ask for less, or allow more.`);
}

function sentence(text: string): string {
  return /[.!?]$/.test(text) ? text : `${text}.`;
}
