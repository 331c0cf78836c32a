/** The errors of requests that Copilot's runtime made, from what it reports about them. */
import { asSentence, classifyFailure, commonFailureError, limitError } from "@bridle/host-shared";
import {
  AuthenticationError,
  BackendCrashError,
  type BridleError,
  ConfigError,
  ModelNotFoundError,
  NetworkError,
} from "@bridle/protocol";
import { z } from "zod";
import type { ModelFailure } from "../messages/session-events.ts";

export interface FailureFacts {
  readonly model: string;
  readonly baseUrl: string;
  /** Removes the key from a text of the service. */
  redact(text: string): string;
}

const settings = "llm.provider";
const longestText = 2_000;

/** The runtime passes on the body of an error: an object of the service, or a text. */
const body = z.union([
  z.looseObject({
    code: z.unknown().optional(),
    type: z.unknown().optional(),
    message: z.string().optional(),
    error: z.looseObject({ type: z.unknown().optional(), message: z.string().optional() }).optional(),
  }),
  z.string(),
]);

/** The error of a failed request. `passes` is true if the same request may succeed later. */
export function failureError(failure: ModelFailure, facts: FailureFacts): BridleError {
  const { codes, message, isExplained } = readBody(failure.errorMessage ?? "");
  const text = facts.redact(message).slice(0, longestText);
  const status = failure.statusCode ?? undefined;
  const isUnfinished = status === undefined && failure.failureKind === "transport";
  const failureClass = classifyFailure({ status, codes, message, isExplained, isUnfinished });
  switch (failureClass) {
    case "authentication":
      return new AuthenticationError(
        `The model service refused the credentials: ${asSentence(text)} Check ${settings}.apiKey.`,
      );
    case "config":
      return new ConfigError(
        `${facts.baseUrl} is no address of a model service (status ${status}). Correct ${settings}.baseUrl.`,
        { field: `${settings}.baseUrl` },
      );
    case "model_not_found":
      return modelNotFoundError(text, facts);
    case "network":
      return new NetworkError(
        `The connection to ${facts.baseUrl} was lost: ${asSentence(text)} Check the network and ${settings}.baseUrl.`,
      );
    case "rate_limit":
      return limitError(text);
    default:
      return (
        commonFailureError(failureClass, text, settings) ?? new BackendCrashError(`Copilot's runtime failed: ${text}`)
      );
  }
}

function modelNotFoundError(text: string, { model, baseUrl }: FailureFacts): ModelNotFoundError {
  const remedy = `Choose another model. If the name is right, check the base URL ${baseUrl}.`;
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
