import { type FaultKind, type FaultWords, toProtocolFault } from "../protocol/fault-kind.ts";
import type { ErrorReply, WireFault } from "../protocol/protocol.ts";

const errors: Readonly<Record<FaultKind, FaultWords>> = {
  invalid: ["invalid_request_error", "The request is not valid."],
  authentication: ["authentication_error", "invalid x-api-key"],
  billing: ["billing_error", "Your credit balance is too low to access the Anthropic API."],
  permission: ["permission_error", "Your account does not have permission to use this resource."],
  model: ["not_found_error", "Not found"],
  context: ["invalid_request_error", "prompt is too long: 210000 tokens > 200000 maximum"],
  size: ["request_too_large", "Request exceeds the maximum size"],
  limit: ["rate_limit_error", "This request would exceed your account's rate limit. Please try again later."],
  server: ["api_error", "Internal server error"],
  timeout: ["timeout_error", "The request timed out."],
  overloaded: ["overloaded_error", "Overloaded"],
  filtered: ["invalid_request_error", "Output blocked by content filtering policy"],
};

/** Writes an error in the API's own format. */
export function toAnthropicErrorReply(fault: WireFault): ErrorReply {
  const details = fault.code === undefined ? {} : { details: { error_code: fault.code } };
  const error = { ...toProtocolFault(fault, errors), ...details };
  return { body: { type: "error", error, request_id: fault.requestId } };
}
