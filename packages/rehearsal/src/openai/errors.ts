import { type FaultKind, type FaultWords, toProtocolFault } from "../protocol/fault-kind.ts";
import type { ErrorReply, WireFault } from "../protocol/protocol.ts";

interface OpenAIError {
  readonly type: string;
  readonly code: string | null;
  readonly message: string;
}

const errors: Readonly<Record<FaultKind, FaultWords>> = {
  invalid: ["invalid_request_error", "The request is not valid."],
  authentication: ["invalid_request_error", "Incorrect API key provided.", "invalid_api_key"],
  billing: ["insufficient_quota", "You exceeded your current quota, please check your plan.", "insufficient_quota"],
  permission: ["invalid_request_error", "You have insufficient permissions for this operation.", "permission_denied"],
  model: ["invalid_request_error", "The model does not exist or you do not have access to it.", "model_not_found"],
  context: [
    "invalid_request_error",
    "Your input exceeds the context window of this model. Please adjust your input and try again.",
    "context_length_exceeded",
  ],
  size: ["invalid_request_error", "The request is larger than the API takes.", "request_too_large"],
  limit: ["requests", "Rate limit reached. Please try again later.", "rate_limit_exceeded"],
  server: ["server_error", "The server had an error while processing your request."],
  timeout: ["server_error", "The request timed out.", "timeout"],
  overloaded: ["server_error", "The engine is currently overloaded, please try again later.", "server_is_overloaded"],
  filtered: ["invalid_request_error", "The response was filtered by the content policy.", "content_filter"],
};

/** Describes a fault in the wording of OpenAI's APIs. */
export function toError(fault: Omit<WireFault, "requestId">): OpenAIError {
  return { code: null, ...toProtocolFault(fault, errors) };
}

/** Writes an error in the format of OpenAI's APIs. */
export function toOpenAIErrorReply(fault: WireFault): ErrorReply {
  return { body: { error: { ...toError(fault), param: null } } };
}
