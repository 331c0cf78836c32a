import { UsageError } from "@bridle/app";
import {
  KeyReusedError,
  NotServedError,
  ServingEndedError,
  SessionExistsError,
  TooManyRunsError,
  TooManySessionsError,
} from "@bridle/app/serving";
import { type BridleError, type ErrorCode, isBridleError } from "@bridle/protocol";
import { RequestProblem } from "./problem.ts";

/** The status of each error code. 401 and 403 are for the caller's token; if a host rejects the server's own login, the status is 502. */
const statuses: Readonly<Record<ErrorCode, number>> = {
  config: 422,
  authentication: 502,
  boundary: 502,
  usage_limit: 429,
  rate_limit: 429,
  overloaded: 503,
  network: 502,
  timeout: 504,
  billing: 502,
  model_not_found: 422,
  context_overflow: 422,
  invalid_request: 422,
  not_found: 404,
  structured_output: 502,
  tool_schema: 422,
  budget_exceeded: 422,
  stopped: 409,
  backend_crash: 502,
  unsupported_feature: 422,
  store: 503,
  store_full: 507,
  store_read_only: 503,
  store_corrupt: 503,
  store_version: 503,
  store_busy: 503,
  process_died: 409,
};

/** The error fields that are sent to clients. Other fields can contain a model's text, or paths. */
const published = ["retryable", "resetsAt", "window", "nearest", "holder", "runId", "feature", "field"];

/** Converts an expected error to a problem. Returns `undefined` for unexpected errors. */
export function toProblem(error: unknown): RequestProblem | undefined {
  if (error instanceof RequestProblem) return error;
  if (error instanceof UsageError) return new RequestProblem(422, "invalid_request", error.message);
  if (error instanceof NotServedError) return new RequestProblem(404, "not-found", error.message);
  if (error instanceof KeyReusedError) return new RequestProblem(422, "key-reused", error.message);
  if (error instanceof SessionExistsError) return new RequestProblem(409, "session-exists", error.message);
  if (error instanceof TooManySessionsError) return new RequestProblem(409, "too-many-sessions", error.message);
  if (error instanceof TooManyRunsError) return retryLater("too-many-runs", error.message);
  if (error instanceof ServingEndedError) return retryLater("shutting-down", error.message);
  if (!isBridleError(error)) return undefined;
  const fields = Object.entries(error.toJSON()).filter(([name]) => published.includes(name));
  return new RequestProblem(statusOf(error), error.code, error.message, Object.fromEntries(fields));
}

function retryLater(code: string, message: string): RequestProblem {
  return new RequestProblem(503, code, message, { retryAfterMs: 1000 }, { "retry-after": "1" });
}

/** Returns the status of an error. Without a holder, the whole log is busy, so waiting for a session does not help the client. */
function statusOf(error: BridleError): number {
  return "holder" in error && error.holder !== undefined ? 409 : statuses[error.code];
}
