import type { Fault } from "../protocol/protocol.ts";

const errors: Readonly<Record<number, readonly [type: string, message: string]>> = {
  400: ["invalid_request_error", "The request is not valid."],
  401: ["authentication_error", "invalid x-api-key"],
  402: ["billing_error", "Your credit balance is too low to access the Anthropic API."],
  403: ["permission_error", "Your account does not have permission to use this resource."],
  404: ["not_found_error", "Not found"],
  413: ["request_too_large", "Request exceeds the maximum size"],
  429: ["rate_limit_error", "This request would exceed your account's rate limit. Please try again later."],
  500: ["api_error", "Internal server error"],
  504: ["timeout_error", "The request timed out."],
  529: ["overloaded_error", "Overloaded"],
};

/** An error in the API's own form. */
export function toErrorBody({ status, type, message, requestId }: Fault) {
  const [usualType, usualMessage] =
    errors[status] ?? (status < 500 ? ["invalid_request_error", "Refused"] : ["api_error", "Failed"]);
  const error = { type: type ?? usualType, message: message ?? usualMessage };
  return { type: "error", error, request_id: requestId };
}
