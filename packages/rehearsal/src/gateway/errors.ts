import { type FaultKind, type FaultWords, toProtocolFault } from "../protocol/fault-kind.ts";
import type { ErrorReply, WireFault } from "../protocol/protocol.ts";

/** The error types that `@ai-sdk/gateway` 4.0.146 distinguishes, and one that it does not distinguish. */
const errors: Readonly<Record<FaultKind, FaultWords>> = {
  invalid: ["invalid_request_error", "The request is not valid."],
  authentication: ["authentication_error", "Invalid API key."],
  billing: ["insufficient_funds", "Insufficient funds. Please add credits to your account to continue."],
  permission: ["forbidden", "You do not have access to this model."],
  model: ["model_not_found", "The model was not found."],
  context: ["invalid_request_error", "prompt is too long: 210000 tokens > 200000 maximum"],
  size: ["invalid_request_error", "The request is larger than the gateway takes."],
  limit: ["rate_limit_exceeded", "Rate limit exceeded. Please try again later."],
  server: ["internal_server_error", "An error occurred while processing the request."],
  timeout: ["internal_server_error", "The request timed out."],
  overloaded: ["internal_server_error", "The provider is overloaded. Please try again later."],
  filtered: ["invalid_request_error", "The output was blocked by a content filter."],
};

/** Writes an error in the gateway's own format. */
export function toGatewayErrorReply(fault: WireFault): ErrorReply {
  return { body: { error: { ...toProtocolFault(fault, errors), param: null }, generationId: fault.requestId } };
}
