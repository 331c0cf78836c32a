/** Failures in the form of the protocol. */
import { RequestError } from "@agentclientprotocol/sdk";
import { type ErrorReport, isBridleError } from "@bridle/protocol";

/** JSON-RPC's code for what failed inside of the agent. */
const internalError = -32_603;

/** The reason is in words; the stable code is in the data. A fault of Bridle itself is rethrown, and its text stays here. */
export function toAcpError(error: unknown): unknown {
  if (error instanceof RequestError || !isBridleError(error)) return error;
  return failedRequest(error);
}

export function failedRequest({ message, code, retryable }: Omit<ErrorReport, "name">): RequestError {
  return new RequestError(internalError, message, { code, retryable });
}
