import { type FaultKind, isKnownWord, kindOfFault } from "../protocol/fault-kind.ts";
import type { ErrorReply, Fault } from "../protocol/protocol.ts";

interface OpenAIError {
  readonly type: string;
  readonly code: string | null;
  readonly message: string;
}

const errors: Readonly<Record<FaultKind, readonly [type: string, code: string | null, message: string]>> = {
  invalid: ["invalid_request_error", null, "The request is not valid."],
  authentication: ["invalid_request_error", "invalid_api_key", "Incorrect API key provided."],
  billing: ["insufficient_quota", "insufficient_quota", "You exceeded your current quota, please check your plan."],
  permission: ["invalid_request_error", "permission_denied", "You have insufficient permissions for this operation."],
  model: ["invalid_request_error", "model_not_found", "The model does not exist or you do not have access to it."],
  context: [
    "invalid_request_error",
    "context_length_exceeded",
    "Your input exceeds the context window of this model. Please adjust your input and try again.",
  ],
  size: ["invalid_request_error", "request_too_large", "The request is larger than the API takes."],
  limit: ["requests", "rate_limit_exceeded", "Rate limit reached. Please try again later."],
  server: ["server_error", null, "The server had an error while processing your request."],
  timeout: ["server_error", "timeout", "The request timed out."],
  overloaded: ["server_error", "server_is_overloaded", "The engine is currently overloaded, please try again later."],
  filtered: ["invalid_request_error", "content_filter", "The response was filtered by the content policy."],
};

/** What goes wrong, in the words of OpenAI's APIs. A script's own word becomes the type. */
export function toError(fault: Omit<Fault, "requestId">): OpenAIError {
  const [type, code, message] = errors[kindOfFault(fault)];
  const own = fault.type !== undefined && !isKnownWord(fault.type) ? { type: fault.type, code: null } : { type, code };
  return { ...own, message: fault.message ?? message };
}

/** An error in the form of OpenAI's APIs. */
export function toErrorReply(fault: Fault): ErrorReply {
  return { body: { error: { ...toError(fault), param: null } } };
}
