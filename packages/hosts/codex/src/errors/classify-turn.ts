/** Classifies failed turns of Codex (0.169.0). Codex's own names count first, then the status, then the wording. */
import {
  asSentence,
  billingError,
  classifyFailure,
  commonFailureError,
  type FailureClass,
  limitError,
} from "@bridle/host-shared";
import {
  AuthenticationError,
  BackendCrashError,
  type BridleError,
  ConfigError,
  ModelNotFoundError,
  NetworkError,
  nearest,
} from "@bridle/protocol";
import { userKeyVariable } from "../environment/user-key.ts";
import { loginRemedy } from "../home/private-home.ts";
import { fullestWindow, isOutOfCredits } from "../limits/windows.ts";
import type { HostLimits, HostTurnError } from "../messages/messages.ts";
import type { CodexAuthMode } from "../options.ts";

export interface CodexFailureFacts {
  auth: CodexAuthMode;
  /** Whether a plan pays, and not a key. */
  isSubscription: boolean;
  model: string;
  /** The models in the catalog, for suggestions. */
  models: readonly string[];
  hasBaseUrl: boolean;
  limits: HostLimits | undefined;
}

/** Codex's names whose meaning does not depend on anything else. */
export const codexFailureClasses: Readonly<Record<string, FailureClass>> = {
  contextWindowExceeded: "context_overflow",
  rateLimitExceeded: "rate_limit",
  serverOverloaded: "overloaded",
  internalServerError: "overloaded",
  flexUnavailable: "overloaded",
  policyCapacityUnavailable: "overloaded",
  cyberPolicy: "invalid_request",
  misalignmentPolicyViolation: "invalid_request",
  inferenceHookDenied: "invalid_request",
  modelNotFound: "model_not_found",
  unauthorized: "authentication",
  responseStreamDisconnected: "network",
  responseStreamConnectionFailed: "network",
};

export function turnError(error: HostTurnError, facts: CodexFailureFacts): BridleError {
  const { name, status } = readInfo(error);
  const reason = [error.message, error.additionalDetails].filter(Boolean).join(" ").trim();
  if (name === "usageLimitExceeded") return usageError(reason, facts);
  const found = status === undefined ? codexFailureClasses[name] : undefined;
  return toError(found ?? classByWords(name, status, reason), reason, facts);
}

function classByWords(name: string, status: number | undefined, message: string): FailureClass | undefined {
  const known = classifyFailure({ status: status ?? statusIn(message), codes: codesIn(message), message });
  if (known !== undefined) return known;
  if (name === "badRequest") return "invalid_request";
  const isLost = /connect|network|socket|timed? ?out|stream|error sending request|disconnect/i.test(message);
  return isLost || name === "httpConnectionFailed" ? "network" : codexFailureClasses[name];
}

function toError(failureClass: FailureClass | undefined, reason: string, facts: CodexFailureFacts): BridleError {
  switch (failureClass) {
    case "authentication":
      return refusedError(reason, facts.auth);
    case "config":
      return new ConfigError(
        `The address of the requests leads to no model service: ${asSentence(reason)} Check llm.provider.baseUrl.`,
        { field: "llm.provider.baseUrl" },
      );
    case "model_not_found":
      return unknownModelError(reason, facts);
    case "network":
      return lostError(reason, facts);
    case "rate_limit":
      return tooManyError(reason, facts);
    default:
      return (
        commonFailureError(failureClass, reason, "llm.provider") ??
        new BackendCrashError(`Codex ended the turn: ${asSentence(reason)}`)
      );
  }
}

/**
 * Returns the error for a used-up window or for an account without credit, for which Codex has one name. The error is about a window only
 * if a window was reported before.
 */
function usageError(reason: string, { limits }: CodexFailureFacts): BridleError {
  const window = isOutOfCredits(limits) ? undefined : fullestWindow(limits);
  return window ? limitError(reason, window) : billingError(reason, "llm.provider");
}

/** Returns the error for too many requests or for a used-up window, for which a service may report the same error. */
function tooManyError(reason: string, { limits }: CodexFailureFacts): BridleError {
  const window = fullestWindow(limits);
  return limitError(reason, window && window.utilization >= 1 ? window : undefined);
}

function refusedError(reason: string, auth: CodexAuthMode): AuthenticationError {
  const remedy = auth === "session" ? loginRemedy : `Check the key in ${userKeyVariable}.`;
  return new AuthenticationError(`Codex was refused: ${asSentence(reason)} (auth: ${auth}) ${remedy}`);
}

function unknownModelError(reason: string, { model, models, hasBaseUrl }: CodexFailureFacts): ModelNotFoundError {
  const near = nearest(
    model,
    models.filter((name) => name !== model),
  );
  const hint = near.length > 0 ? `Did you mean ${near.join(", ")}?` : `Known: ${models.slice(0, 4).join(", ")}.`;
  const address = hasBaseUrl ? " If the model is right, check llm.provider.baseUrl." : "";
  return new ModelNotFoundError(
    `The model "${model}" cannot be used: ${asSentence(reason)} ${hint}${address}`,
    model,
    near,
  );
}

function lostError(reason: string, { hasBaseUrl }: CodexFailureFacts): NetworkError {
  const address = hasBaseUrl ? ", and llm.provider.baseUrl" : "";
  return new NetworkError(
    `The connection to the model service was lost: ${asSentence(reason)} Check the network${address}.`,
  );
}

/** Reads the failure's name, and the status of the response if Codex reports it. */
function readInfo({ codexErrorInfo: info }: HostTurnError): { name: string; status: number | undefined } {
  if (typeof info === "string") return { name: info, status: undefined };
  const [entry] = Object.entries(info ?? {});
  if (!entry) return { name: "other", status: undefined };
  const [name, value] = entry;
  const status: unknown =
    typeof value === "object" && value !== null ? Reflect.get(value, "httpStatusCode") : undefined;
  return { name, status: typeof status === "number" ? status : undefined };
}

function statusIn(message: string): number | undefined {
  const [, status] = /(?:status|unexpected status)\D{0,3}(\d{3})\b/.exec(message) ?? [];
  return status === undefined ? undefined : Number(status);
}

/** Returns the service's code, if its answer is quoted. */
function codesIn(message: string): string[] {
  return [...message.matchAll(/"(?:code|type)"\s*:\s*"([\w.]+)"/g)].flatMap(([, code]) => code ?? []);
}
