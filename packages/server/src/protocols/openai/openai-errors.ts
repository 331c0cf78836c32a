/** Formats errors as OpenAI does. */
import type { ErrorReport } from "@bridle/protocol";

interface Refusal {
  readonly status: number;
  readonly code: string;
  readonly message: string;
}

export function formatError({ status, code, message }: Refusal) {
  return { error: { message, type: typeOf(status), code, param: null } };
}

function typeOf(status: number): string {
  if (status === 401) return "authentication_error";
  if (status === 403) return "permission_error";
  if (status === 429) return "rate_limit_error";
  return status < 500 ? "invalid_request_error" : "server_error";
}

/** Returns the status of a failed run. OpenAI clients retry some statuses. */
export function statusOfError({ code, retryable }: ErrorReport): number {
  if (code === "usage_limit" || code === "rate_limit") return 429;
  return retryable ? 503 : 502;
}
