/** Converts errors to the format of the protocol. */
import { RequestError } from "@agentclientprotocol/sdk";
import { type ErrorReport, isBridleError } from "@bridle/protocol";

/** JSON-RPC's code for internal errors. */
const internalError = -32_603;

/**
 * Converts an error. The message contains the reason, and the data the stable code. Internal errors of Bridle are rethrown, and their text
 * is not sent.
 */
export function toAcpError(error: unknown): unknown {
  if (error instanceof RequestError || !isBridleError(error)) return error;
  return failedRequest(error);
}

export function failedRequest({ message, code, retryable }: Omit<ErrorReport, "name">): RequestError {
  return new RequestError(internalError, message, { code, retryable });
}
