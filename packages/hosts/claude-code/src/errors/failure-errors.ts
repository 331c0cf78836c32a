/** Creates the errors that only Claude Code's failed turns have, with the host's text and a remedy. */
import {
  AuthenticationError,
  BackendCrashError,
  InvalidRequestError,
  type ModelNotFoundError,
  NetworkError,
  StructuredOutputError,
} from "@bridle/protocol";
import { authAdvice } from "../auth/auth-modes.ts";
import type { HostResult, RateLimit } from "../messages/messages.ts";
import type { ObjectAttempt } from "../messages/step-tracker.ts";
import type { ClaudeAuthMode } from "../options.ts";
import { refusedModelError } from "../settings/model-names.ts";

/** Returns the host's text about a result, without a final period. */
export function describeResult({ result, errors, subtype }: HostResult): string {
  const text = result || errors?.join("; ") || subtype;
  let end = text.length;
  while (end > 0 && /[.\s]/.test(text[end - 1] ?? "")) end -= 1;
  return text.slice(0, end);
}

export function loginError(text: string, auth: ClaudeAuthMode): AuthenticationError {
  const reason = /not logged in/i.test(text) ? "Claude Code is not logged in" : `Claude Code was refused: ${text}`;
  return new AuthenticationError(`${reason} (auth: ${auth}). ${authAdvice(auth)}`);
}

/** Returns the subscription's usage window, if the host reports that the window is used up. */
export function usedUpWindowName(
  limit: RateLimit | undefined,
): { window: string; resetsAt: Date | undefined } | undefined {
  if (limit?.status !== "rejected" || (limit.resetsAt === undefined && limit.rateLimitType === undefined)) {
    return undefined;
  }
  const resetsAt = limit.resetsAt === undefined ? undefined : new Date(limit.resetsAt * 1000);
  return { window: limit.rateLimitType ?? "subscription", resetsAt };
}

export function unknownModelError(text: string, facts: { model: string; hasBaseUrl: boolean }): ModelNotFoundError {
  const hint = facts.hasBaseUrl ? " If the model is right, check llm.provider.baseUrl." : "";
  return refusedModelError(facts.model, `${text}.`, hint);
}

export function connectionError(text: string): NetworkError {
  return new NetworkError(
    `The connection to the model service was lost: ${text}. Check the network, and llm.provider.baseUrl if it is set.`,
  );
}

export function declinedError(text: string): InvalidRequestError {
  return new InvalidRequestError(`The model declined to answer: ${text}`);
}

export function invalidObjectError(result: HostResult, lastObject: ObjectAttempt | undefined): StructuredOutputError {
  const text = lastObject === undefined ? (result.result ?? "") : JSON.stringify(lastObject.input);
  const problem = lastObject?.problem ?? describeResult(result);
  const message = `The model returned no valid object: ${describeResult(result)}`;
  return new StructuredOutputError(message, text, schemaIssues(problem));
}

export function unknownValueError(field: string, value: string, text: string): BackendCrashError {
  return new BackendCrashError(`Claude Code ended with the unknown ${field} "${value}": ${text}`);
}

/**
 * Parses the issues of a refused object, which the host lists as `/path: message`, separated by commas or line ends (observed on 2.1.330).
 */
function schemaIssues(problem: string): { path: string; message: string }[] {
  const list = problem.replace(/^.*?schema:\s*/s, "");
  return list.split(/[,;\n]\s*(?=\/|root)/).map((issue) => {
    const [, path = "", message = issue] = /^(\/\S*|root):\s*(.*)$/s.exec(issue) ?? [];
    return { path: path.replace(/^(\/|root)/, "").replaceAll("/", "."), message };
  });
}
