/** Creates the errors for failed requests of Copilot's runtime, from its reports. */
import { asSentence, billingError, classifyFailure, commonFailureError, limitError } from "@bridle/host-shared";
import {
  AuthenticationError,
  BackendCrashError,
  type BridleError,
  ConfigError,
  ModelNotFoundError,
  NetworkError,
} from "@bridle/protocol";
import { z } from "zod";
import { loginAdvice } from "../login/account.ts";
import type { GitHubLogin } from "../login/stored-login.ts";
import type { ModelFailure } from "../messages/session-events.ts";
import { isOutOfCredit, usedUpPlanWindow } from "./plan-limits.ts";

export interface FailureFacts {
  readonly model: string;
  /** The address that requests are sent to. */
  readonly address: string;
  /** The login that pays; undefined if a key does. */
  readonly login: GitHubLogin | undefined;
  /** Removes the credential from a message of the service. */
  redact(text: string): string;
}

const settings = "llm.provider";
const maxTextLength = 2_000;

/** The body of an error, which the runtime passes on: an object from the service, or a string. */
const body = z.union([
  z.looseObject({
    code: z.unknown().optional(),
    type: z.unknown().optional(),
    message: z.string().optional(),
    error: z.looseObject({ type: z.unknown().optional(), message: z.string().optional() }).optional(),
  }),
  z.string(),
]);

/** Returns the error for a failed request. `passes` is true if the same request may succeed if it is sent again. */
export function failureError(failure: ModelFailure, facts: FailureFacts): BridleError {
  const { codes, message, isExplained } = readBody(failure.errorMessage ?? "");
  const text = facts.redact(message).slice(0, maxTextLength);
  const status = failure.statusCode ?? undefined;
  if (facts.login) {
    const window = usedUpPlanWindow(failure, { codes, message });
    if (window) return limitError(text, window);
    if (isOutOfCredit(status, codes))
      return billingError(text, "the Copilot settings of the account, or in llm.provider");
  }
  const isUnfinished = status === undefined && failure.failureKind === "transport";
  const failureClass = classifyFailure({ status, codes, message, isExplained, isUnfinished });
  switch (failureClass) {
    case "authentication":
      return refusedError(text, facts);
    case "config":
      return addressError(status, facts);
    case "model_not_found":
      return modelNotFoundError(text, facts);
    case "network":
      return new NetworkError(
        `The connection to ${facts.address} was lost: ${asSentence(text)} Check the network${facts.login ? "" : ` and ${settings}.baseUrl`}.`,
      );
    case "rate_limit":
      return limitError(text);
    default:
      return (
        commonFailureError(failureClass, text, settings) ?? new BackendCrashError(`Copilot's runtime failed: ${text}`)
      );
  }
}

function refusedError(reason: string, { login }: FailureFacts): AuthenticationError {
  if (!login)
    return new AuthenticationError(
      `The model service refused the credentials: ${asSentence(reason)} Check ${settings}.apiKey.`,
    );
  return new AuthenticationError(
    `Copilot refused the login: ${asSentence(reason)} (auth: session) ${loginAdvice(login)}`,
  );
}

function addressError(status: number | undefined, { address, login }: FailureFacts): BridleError {
  if (login) return new BackendCrashError(`${address} has no model service (status ${status}). Try again later.`);
  return new ConfigError(
    `${address} is not the address of a model service (status ${status}). Correct ${settings}.baseUrl.`,
    {
      field: `${settings}.baseUrl`,
    },
  );
}

function modelNotFoundError(text: string, { model, address, login }: FailureFacts): ModelNotFoundError {
  const remedy = login
    ? 'Choose another model. "bridle models" lists those of the account.'
    : `Choose another model. If the name is right, check the base URL ${address}.`;
  return new ModelNotFoundError(`The model "${model}" cannot be used: ${asSentence(text)} ${remedy}`, model, []);
}

function readBody(raw: string): { codes: string[]; message: string; isExplained: boolean } {
  const parsed = body.safeParse(parseJson(raw));
  if (!parsed.success) return { codes: [], message: raw, isExplained: false };
  if (typeof parsed.data === "string") return { codes: [], message: parsed.data, isExplained: false };
  const { code, type, message, error } = parsed.data;
  const codes = [code, type, error?.type].filter((name) => typeof name === "string");
  return { codes, message: message ?? error?.message ?? raw, isExplained: true };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
