/** The errors of failed turns, with the host's text and a remedy. */
import {
  AuthenticationError,
  BackendCrashError,
  BillingError,
  BudgetExceededError,
  ContextOverflowError,
  InvalidRequestError,
  type ModelNotFoundError,
  RateLimitError,
  StructuredOutputError,
  type UsageLimitError,
  windowUsedUp,
} from "@bridle/core";
import { authAdvice } from "../auth/auth-modes.ts";
import { modelNotFoundError } from "../models/model-names.ts";
import type { AuthMode } from "../options.ts";
import type { HostResult, RateLimit } from "../turn/messages.ts";
import type { ObjectAttempt } from "../turn/step-tracker.ts";

/** The host's text about a result, without a final period. */
export function describeResult({ result, errors, subtype }: HostResult): string {
  return (result || errors?.join("; ") || subtype).replace(/[.\s]+$/, "");
}

export function loginError(text: string, auth: AuthMode): AuthenticationError {
  const isLoggedOut = /not logged in/i.test(text);
  const reason = isLoggedOut ? "Claude Code is not logged in" : `The credentials of Claude Code were refused: ${text}`;
  return new AuthenticationError(`${reason} (auth: ${auth}). ${authAdvice(auth)}`);
}

export function billingError(text: string): BillingError {
  return new BillingError(
    `The account cannot pay for this: ${text}. Add credit to it, or choose another auth or backend in bridle.yaml.`,
  );
}

/** A used-up subscription window if the host reports one; otherwise too many requests. */
export function limitError(text: string, limit: RateLimit | undefined): UsageLimitError | RateLimitError {
  if (limit?.status !== "rejected" || (limit.resetsAt === undefined && limit.rateLimitType === undefined)) {
    return new RateLimitError(
      `The model service limits the requests: ${text}. Send fewer at the same time, or try again later.`,
    );
  }
  const window = limit.rateLimitType ?? "subscription";
  const resetsAt = limit.resetsAt === undefined ? undefined : new Date(limit.resetsAt * 1000);
  return windowUsedUp(window, resetsAt);
}

export function unknownModel(text: string, facts: { model: string; hasBaseUrl: boolean }): ModelNotFoundError {
  const hint = facts.hasBaseUrl ? " If the model is right, check llm.provider.baseUrl." : "";
  return modelNotFoundError(facts.model, `${text}.`, hint);
}

export function answerTooLong(text: string): BudgetExceededError {
  return new BudgetExceededError(
    `The answer is longer than maxOutputTokens: ${text}. Request a shorter answer, or raise maxOutputTokens.`,
  );
}

export function modelDeclined(text: string): InvalidRequestError {
  return new InvalidRequestError(`The model declined to answer: ${text}`);
}

export function contextOverflow(result: HostResult): ContextOverflowError {
  return new ContextOverflowError(
    `The prompt is too long for the model: ${describeResult(result)}. Shorten the prompt or the history.`,
  );
}

export function invalidObject(result: HostResult, lastObject: ObjectAttempt | undefined): StructuredOutputError {
  const text = lastObject === undefined ? (result.result ?? "") : JSON.stringify(lastObject.input);
  const problem = lastObject?.problem ?? describeResult(result);
  const message = `The model returned no valid object: ${describeResult(result)}`;
  return new StructuredOutputError(message, text, schemaIssues(problem));
}

export function unknownValue(field: string, value: string, result: HostResult): BackendCrashError {
  return new BackendCrashError(`Claude Code ended with the unknown ${field} "${value}": ${describeResult(result)}`);
}

/** The host lists issues as `/path: message`, separated by commas or line ends (observed on 2.1.330). */
function schemaIssues(problem: string): { path: string; message: string }[] {
  const list = problem.replace(/^.*?schema:\s*/s, "");
  return list.split(/[,;\n]\s*(?=\/|root)/).map((issue) => {
    const [, path = "", message = issue] = /^(\/\S*|root):\s*(.*)$/s.exec(issue) ?? [];
    return { path: path.replace(/^(\/|root)/, "").replaceAll("/", "."), message };
  });
}
