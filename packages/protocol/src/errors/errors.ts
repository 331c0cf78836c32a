/**
 * The errors of Bridle, as one family of classes.
 *
 * A message has at most three sentences: the reason, the subject and the remedy. `code` is stable, so that programs can rely on it.
 * `retryable` is true if the same call may succeed later without a change.
 */

import type { Cost, Usage } from "../usage/usage.ts";
import type { ErrorCode } from "./error-codes.ts";

export { type ErrorCode, errorCodes } from "./error-codes.ts";

const brand = Symbol.for("bridle.error");

export interface BridleErrorOptions {
  cause?: unknown;
  runId?: string;
}

/**
 * The base class of all errors.
 *
 * @example
 * try {
 *   await runtime.generateText({ prompt });
 * } catch (error) {
 *   if (isBridleError(error) && error.retryable) await retryLater();
 *   else throw error;
 * }
 */
export class BridleError extends Error {
  readonly code: ErrorCode;
  readonly retryable: boolean;
  /** Set by the run engine when the error ended a run. */
  runId?: string;
  /** The run's usage up to the error. Set if `generateText` or `generateObject` rejects with the error. */
  usage?: Usage;
  /** The known part of the run's cost. */
  cost?: Cost;
  /** Milliseconds from the start of the run to its end. */
  durationMs?: number;

  constructor(code: ErrorCode, message: string, options: BridleErrorOptions & { retryable?: boolean } = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = new.target.name;
    this.code = code;
    this.retryable = options.retryable ?? false;
    if (options.runId !== undefined) this.runId = options.runId;
    Object.defineProperty(this, brand, { value: true });
  }

  /** Returns the JSON form: name, code, message and the fields of the class, but never the stack or the cause. */
  toJSON(): object {
    return { ...this, name: this.name, message: this.message };
  }
}

/** Returns true for a BridleError, even from another copy of this package in the same process. */
export function isBridleError(value: unknown): value is BridleError {
  return typeof value === "object" && value !== null && brand in value;
}

/** The position of a setting in a file. Lines and columns count from 1. */
export interface SourcePosition {
  file: string;
  line?: number;
  column?: number;
}

/** A setting is invalid or missing. The message begins with the position, if it is known. */
export class ConfigError extends BridleError {
  readonly position?: SourcePosition;
  readonly field?: string;

  constructor(message: string, options: BridleErrorOptions & { position?: SourcePosition; field?: string } = {}) {
    super("config", options.position ? `${formatPosition(options.position)}: ${message}` : message, options);
    if (options.position) this.position = options.position;
    if (options.field !== undefined) this.field = options.field;
  }
}

/** Returns `file:line:column`, which editors and terminals turn into links. */
export function formatPosition({ file, line, column }: SourcePosition): string {
  return [file, line, column].filter((part) => part !== undefined).join(":");
}

/** The host refused the credentials, or there are no credentials. */
export class AuthenticationError extends BridleError {
  constructor(message: string, options: BridleErrorOptions = {}) {
    super("authentication", message, options);
  }
}

/** The host did not start with exactly the files, settings and tools that the request allows it, so nothing ran. */
export class BoundaryError extends BridleError {
  /** One sentence for each difference. */
  readonly differences: readonly string[];

  constructor(message: string, differences: readonly string[], options: BridleErrorOptions = {}) {
    super("boundary", message, options);
    this.differences = differences;
  }
}

/** A subscription window is used up. `resetsAt` is when it opens again, if the host reports it. */
export class UsageLimitError extends BridleError {
  readonly resetsAt?: Date;
  readonly window?: string;

  constructor(
    message: string,
    options: BridleErrorOptions & { resetsAt?: Date | undefined; window?: string | undefined } = {},
  ) {
    super("usage_limit", message, { ...options, retryable: true });
    if (options.resetsAt) this.resetsAt = options.resetsAt;
    if (options.window !== undefined) this.window = options.window;
  }
}

/** The host refused too many requests in a short time. */
export class RateLimitError extends BridleError {
  constructor(message: string, options: BridleErrorOptions = {}) {
    super("rate_limit", message, { ...options, retryable: true });
  }
}

/** The host has no capacity at the moment. */
export class OverloadedError extends BridleError {
  constructor(message: string, options: BridleErrorOptions = {}) {
    super("overloaded", message, { ...options, retryable: true });
  }
}

/** The host could not be reached, or the connection broke. */
export class NetworkError extends BridleError {
  constructor(message: string, options: BridleErrorOptions = {}) {
    super("network", message, { ...options, retryable: true });
  }
}

/** A time limit has passed. */
export class TimeoutError extends BridleError {
  constructor(message: string, options: BridleErrorOptions = {}) {
    super("timeout", message, { ...options, retryable: true });
  }
}

/** The account has no credit, or its plan does not include the request. */
export class BillingError extends BridleError {
  constructor(message: string, options: BridleErrorOptions = {}) {
    super("billing", message, options);
  }
}

/** The host does not know the model. `nearest` contains similar names, best first. */
export class ModelNotFoundError extends BridleError {
  readonly model: string;
  readonly nearest: readonly string[];

  constructor(message: string, model: string, nearest: readonly string[], options: BridleErrorOptions = {}) {
    super("model_not_found", message, options);
    this.model = model;
    this.nearest = nearest;
  }
}

/** The conversation is too long for the model. */
export class ContextOverflowError extends BridleError {
  constructor(message: string, options: BridleErrorOptions = {}) {
    super("context_overflow", message, options);
  }
}

/** The request is malformed or the host refused its content. Sending the same request again fails again. */
export class InvalidRequestError extends BridleError {
  constructor(message: string, options: BridleErrorOptions = {}) {
    super("invalid_request", message, options);
  }
}

/** Nothing has the given name or id, for example no session or table. The message suggests the nearest known name. */
export class NotFoundError extends BridleError {
  constructor(message: string, options: BridleErrorOptions = {}) {
    super("not_found", message, options);
  }
}

/** One problem in a value that does not match its schema. `path` is empty for the value itself. */
export interface ValidationIssue {
  path: string;
  message: string;
}

/** The model returned no valid object, even after retries. `text` is its last answer. */
export class StructuredOutputError extends BridleError {
  readonly text: string;
  readonly issues: readonly ValidationIssue[];

  constructor(message: string, text: string, issues: readonly ValidationIssue[], options: BridleErrorOptions = {}) {
    super("structured_output", message, options);
    this.text = text;
    this.issues = issues;
  }
}

/** A tool is invalid: its input is not an object, has no JSON Schema, or its name is used twice. */
export class ToolSchemaError extends BridleError {
  readonly tool: string;
  readonly field?: string;

  constructor(message: string, tool: string, options: BridleErrorOptions & { field?: string } = {}) {
    super("tool_schema", message, options);
    this.tool = tool;
    if (options.field !== undefined) this.field = options.field;
  }
}

/** A step, token or cost budget is spent. */
export class BudgetExceededError extends BridleError {
  constructor(message: string, options: BridleErrorOptions = {}) {
    super("budget_exceeded", message, options);
  }
}

/**
 * Who stopped a run: its `caller`, with `stop()`; the `signal` of the request; the `person` who was asked about a call; the
 * `session` or the `runtime`, because it was closed.
 */
export type StoppedBy = "caller" | "signal" | "person" | "session" | "runtime";

/** The run was stopped. `by` names who stopped the run. Missing if the host stopped it. */
export class StoppedError extends BridleError {
  readonly by?: StoppedBy;

  constructor(message: string, { by, ...options }: BridleErrorOptions & { by?: StoppedBy } = {}) {
    super("stopped", message, options);
    if (by !== undefined) this.by = by;
  }
}

/** The `signal` of the request was aborted. `cause` is the signal's reason. */
export class AbortError extends StoppedError {
  constructor(message: string, options: BridleErrorOptions = {}) {
    super(message, { ...options, by: "signal" });
  }
}

/** The host's process ended without an answer, or sent an invalid message. */
export class BackendCrashError extends BridleError {
  constructor(message: string, options: BridleErrorOptions = {}) {
    super("backend_crash", message, { ...options, retryable: true });
  }
}

/** The backend lacks a feature that the request needs. Nothing was sent. */
export class UnsupportedFeatureError extends BridleError {
  readonly backend: string;
  readonly feature: string;

  constructor(backend: string, feature: string, alternative: string, options: BridleErrorOptions = {}) {
    super("unsupported_feature", `The backend ${backend} has no ${feature}. ${alternative}`, options);
    this.backend = backend;
    this.feature = feature;
  }
}
