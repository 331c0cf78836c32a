/** Converts any value that a provider module throws to a typed error, in the same way on every backend. */

import {
  asSentence,
  billingError,
  classifyFailure,
  contextOverflowError,
  invalidRequestError,
  limitError,
  outputLimitError,
  overloadedError,
} from "@bridle/host-shared";
import {
  AuthenticationError,
  BackendCrashError,
  type BridleError,
  ModelNotFoundError,
  NetworkError,
  nearest,
} from "@bridle/protocol";
import { readLimit } from "../response/limits.ts";
import { wrongAddress } from "../transport/transport.ts";
import { copyCause, type RequestFailure, readFailure } from "./read-failure.ts";

/** The facts about a request that its errors contain. */
export interface RequestFacts {
  backend: string;
  baseUrl: string;
  /** The section of `bridle.yaml` that contains the settings. Default: `llm.provider`. */
  section?: string | undefined;
  model: string;
  /** The remedy for refused credentials, as a sentence. */
  authRemedy: string;
  knownModels: readonly string[];
  /** Removes credentials from a host's message. */
  redact(text: string): string;
}

/** Returns the BridleError in the chain of causes if there is one, or else a new error for the failure. */
export function toRequestError(error: unknown, facts: RequestFacts): BridleError {
  const found = readFailure(error);
  if (found.typed) return found.typed;
  const clean = (text: string) => shorten(facts.redact(text));
  const typed = createError({ ...found, message: clean(found.message) }, facts);
  return Object.defineProperty(typed, "cause", { value: copyCause(error, clean) });
}

/** The maximum number of characters of a host's message, because some hosts repeat the whole request. */
const maxTextLength = 2_000;

function shorten(text: string): string {
  return text.length > maxTextLength ? `${text.slice(0, maxTextLength)}…` : text;
}

function createError(failure: RequestFailure, facts: RequestFacts): BridleError {
  const { backend, section = "llm.provider" } = facts;
  const { message, isExplained } = failure;
  switch (classifyFailure({ ...failure, isGarbled: failure.isGarbled && !isExplained })) {
    case "authentication":
      return authenticationError(message, facts);
    case "billing":
      return billingError(message, section);
    case "budget_exceeded":
      return outputLimitError(message);
    case "config":
      return wrongAddress(facts, describeResponse(failure));
    case "context_overflow":
      return contextOverflowError(message);
    case "invalid_request":
      return invalidRequestError(message);
    case "model_not_found":
      return modelNotFoundError(message, facts);
    case "network":
      return interruptedError(facts);
    case "overloaded":
      return overloadedError(message);
    case "rate_limit":
      return limitError(message, usedUpWindow(failure));
    default:
      return new BackendCrashError(`The backend ${backend} failed: ${message}`);
  }
}

function describeResponse({ status, isGarbled, message }: RequestFailure): string {
  if (status !== undefined && status >= 400) return `status ${status} without a reason`;
  return isGarbled ? `a response in another protocol (${message.slice(0, 200)})` : message;
}

function authenticationError(message: string, { backend, authRemedy }: RequestFacts): AuthenticationError {
  return new AuthenticationError(
    `The backend ${backend} refused the credentials: ${asSentence(message)} ${authRemedy}`,
  );
}

function usedUpWindow({ headers }: RequestFailure): ReturnType<typeof readLimit> {
  const limit = readLimit(headers);
  return limit?.status === "rejected" ? limit : undefined;
}

/** The facts that the error for an unknown model contains. */
export interface ModelFacts {
  backend: string;
  baseUrl?: string | undefined;
  model: string;
  knownModels: readonly string[];
}

/** Returns the error for a model that cannot be used on a backend. */
export function modelNotFoundError(
  reason: string,
  { backend, baseUrl, model, knownModels }: ModelFacts,
): ModelNotFoundError {
  const near = nearest(
    model,
    knownModels.filter((known) => known !== model),
  );
  const hint =
    near.length > 0 ? `Did you mean ${near.join(", ")}?` : 'Choose another model; "bridle models" lists them.';
  const address = baseUrl === undefined ? "" : ` If the name is right, check the base URL ${baseUrl}.`;
  const message = `The model "${model}" cannot be used on ${backend}: ${asSentence(reason)} ${hint}${address}`;
  return new ModelNotFoundError(message, model, near);
}

/** Returns the error for an answer that ended before it was complete. */
export function interruptedError({ backend, baseUrl }: Pick<RequestFacts, "backend" | "baseUrl">): NetworkError {
  return new NetworkError(
    `The answer of the backend ${backend} broke off before its end (${baseUrl}). Check the network, and try again.`,
  );
}
