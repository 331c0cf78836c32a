/**
 * Every way in which Bridle fails, as one family of classes.
 *
 * An error's message is three sentences at most: the reason, the subject it is about, and the remedy.
 * `code` is stable and for machines; `retryable` says whether the same call may succeed later unchanged.
 */

import type { ErrorCode } from "./error-codes.ts";

export { type ErrorCode, errorCodes } from "./error-codes.ts";

const brand = Symbol.for("bridle.error");

export interface BridleErrorOptions {
  cause?: unknown;
  runId?: string;
}

export class BridleError extends Error {
  readonly code: ErrorCode;
  readonly retryable: boolean;
  /** Set by the run engine when the error ended a run. */
  runId?: string;

  constructor(code: ErrorCode, message: string, options: BridleErrorOptions & { retryable?: boolean } = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = new.target.name;
    this.code = code;
    this.retryable = options.retryable ?? false;
    if (options.runId !== undefined) this.runId = options.runId;
    Object.defineProperty(this, brand, { value: true });
  }

  /** What `JSON.stringify` writes: name, code, message and the fields of the class; never the stack or the cause. */
  toJSON(): object {
    return { ...this, name: this.name, message: this.message };
  }
}

/** True for an error of any copy of this package that is loaded in the process. */
export function isBridleError(value: unknown): value is BridleError {
  return typeof value === "object" && value !== null && brand in value;
}

/** Where in a file a setting stands; lines and columns count from 1. */
export interface SourcePosition {
  file: string;
  line?: number;
  column?: number;
}

/** A bad or missing setting. The message begins with the position where one is known. */
export class ConfigError extends BridleError {
  readonly position?: SourcePosition;
  readonly field?: string;

  constructor(message: string, options: BridleErrorOptions & { position?: SourcePosition; field?: string } = {}) {
    super("config", options.position ? `${formatPosition(options.position)}: ${message}` : message, options);
    if (options.position) this.position = options.position;
    if (options.field !== undefined) this.field = options.field;
  }
}

/** `file:line:column`, as editors and terminals link it. */
export function formatPosition({ file, line, column }: SourcePosition): string {
  return [file, line, column].filter((part) => part !== undefined).join(":");
}

export class AuthenticationError extends BridleError {
  constructor(message: string, options: BridleErrorOptions = {}) {
    super("authentication", message, options);
  }
}

/** The host did not come up with exactly the boundary that was asked for; nothing was run. */
export class BoundaryError extends BridleError {
  readonly differences: readonly string[];

  constructor(message: string, differences: readonly string[], options: BridleErrorOptions = {}) {
    super("boundary", message, options);
    this.differences = differences;
  }
}

/** A subscription window is used up. `resetsAt` is when it opens again, where the host says. */
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

export class RateLimitError extends BridleError {
  constructor(message: string, options: BridleErrorOptions = {}) {
    super("rate_limit", message, { ...options, retryable: true });
  }
}

export class OverloadedError extends BridleError {
  constructor(message: string, options: BridleErrorOptions = {}) {
    super("overloaded", message, { ...options, retryable: true });
  }
}

export class NetworkError extends BridleError {
  constructor(message: string, options: BridleErrorOptions = {}) {
    super("network", message, { ...options, retryable: true });
  }
}

export class TimeoutError extends BridleError {
  constructor(message: string, options: BridleErrorOptions = {}) {
    super("timeout", message, { ...options, retryable: true });
  }
}

export class BillingError extends BridleError {
  constructor(message: string, options: BridleErrorOptions = {}) {
    super("billing", message, options);
  }
}

/** `nearest` holds known model names that resemble the one asked for, best first. */
export class ModelNotFoundError extends BridleError {
  readonly model: string;
  readonly nearest: readonly string[];

  constructor(message: string, model: string, nearest: readonly string[], options: BridleErrorOptions = {}) {
    super("model_not_found", message, options);
    this.model = model;
    this.nearest = nearest;
  }
}

export class ContextOverflowError extends BridleError {
  constructor(message: string, options: BridleErrorOptions = {}) {
    super("context_overflow", message, options);
  }
}

export class InvalidRequestError extends BridleError {
  constructor(message: string, options: BridleErrorOptions = {}) {
    super("invalid_request", message, options);
  }
}

/** One place where a value did not fit its schema; `path` is empty for the value itself. */
export interface ValidationIssue {
  path: string;
  message: string;
}

/** No valid object came, re-asks included. `text` is the model's last answer. */
export class StructuredOutputError extends BridleError {
  readonly text: string;
  readonly issues: readonly ValidationIssue[];

  constructor(message: string, text: string, issues: readonly ValidationIssue[], options: BridleErrorOptions = {}) {
    super("structured_output", message, options);
    this.text = text;
    this.issues = issues;
  }
}

/** A tool that cannot be offered: its input is no object, has no JSON Schema, or its name meets another's. */
export class ToolSchemaError extends BridleError {
  readonly tool: string;
  readonly field?: string;

  constructor(message: string, tool: string, options: BridleErrorOptions & { field?: string } = {}) {
    super("tool_schema", message, options);
    this.tool = tool;
    if (options.field !== undefined) this.field = options.field;
  }
}

export class BudgetExceededError extends BridleError {
  constructor(message: string, options: BridleErrorOptions = {}) {
    super("budget_exceeded", message, options);
  }
}

export class StoppedError extends BridleError {
  constructor(message: string, options: BridleErrorOptions = {}) {
    super("stopped", message, options);
  }
}

/** The host's process ended without an answer, or said something that has no meaning here. */
export class BackendCrashError extends BridleError {
  constructor(message: string, options: BridleErrorOptions = {}) {
    super("backend_crash", message, { ...options, retryable: true });
  }
}

/** A request needs what the chosen backend cannot do; nothing was sent. */
export class UnsupportedFeatureError extends BridleError {
  readonly backend: string;
  readonly feature: string;

  constructor(backend: string, feature: string, alternative: string, options: BridleErrorOptions = {}) {
    super("unsupported_feature", `The backend ${backend} has no ${feature}. ${alternative}`, options);
    this.backend = backend;
    this.feature = feature;
  }
}
