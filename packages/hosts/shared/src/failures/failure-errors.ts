/** Creates errors with the same wording on every host: the service's reason, and the remedy. */

import { createUsageLimitError } from "@bridle/core";
import {
  BillingError,
  type BridleError,
  BudgetExceededError,
  ContextOverflowError,
  InvalidRequestError,
  OverloadedError,
  RateLimitError,
  type UsageLimitError,
} from "@bridle/protocol";
import type { FailureClass } from "./classify-failure.ts";

/**
 * Returns the error for a failure that means the same on every host. Undefined if the error has to name something specific to the host,
 * such as its login.
 *
 * @param settings The settings that choose the account, such as `llm.provider`.
 */
export function commonFailureError(
  failureClass: FailureClass | undefined,
  reason: string,
  settings: string,
): BridleError | undefined {
  switch (failureClass) {
    case "billing":
      return billingError(reason, settings);
    case "budget_exceeded":
      return outputLimitError(reason);
    case "context_overflow":
      return contextOverflowError(reason);
    case "invalid_request":
      return invalidRequestError(reason);
    case "overloaded":
      return overloadedError(reason);
    default:
      return undefined;
  }
}

/** @param settings The settings that choose the account, such as `llm.provider`. */
export function billingError(reason: string, settings: string): BillingError {
  return new BillingError(
    `The account cannot pay for this request: ${asSentence(reason)} Add credit to it, or choose another account or backend in ${settings}.`,
  );
}

export function contextOverflowError(reason: string): ContextOverflowError {
  return new ContextOverflowError(
    `The prompt is too long for the model: ${asSentence(reason)} Shorten it, or send less context.`,
  );
}

export function invalidRequestError(reason: string): InvalidRequestError {
  return new InvalidRequestError(`The model service rejected the request: ${reason}`);
}

export function overloadedError(reason: string): OverloadedError {
  return new OverloadedError(`The model service failed: ${asSentence(reason)} Try again later.`);
}

/** @param usedUp The account's used-up window, if the service names one. */
export function limitError(
  reason: string,
  usedUp?: { window: string; resetsAt?: Date | undefined },
): RateLimitError | UsageLimitError {
  if (usedUp) return createUsageLimitError(usedUp.window, usedUp.resetsAt);
  return new RateLimitError(
    `The model service is limiting requests: ${asSentence(reason)} Send fewer requests at a time, or wait.`,
  );
}

/** @param reason How the answer reached the limit for output tokens. */
export function outputLimitError(reason: string): BudgetExceededError {
  return new BudgetExceededError(
    `The answer is too long: ${asSentence(reason)} Request a shorter answer, or raise maxOutputTokens.`,
  );
}

/** Returns the text with a full stop at its end, unless it already ends like a sentence. */
export function asSentence(text: string): string {
  return /[.!?]$/.test(text) ? text : `${text}.`;
}
