/**
 * Recognises a base URL without a model API behind it. A model API returns its errors as JSON with a type, which the host
 * keeps. A web page or a bare status has no type (observed on 2.1.330).
 */
import { ConfigError } from "@bridle/protocol";
import type { ClaudeAuthMode } from "../options.ts";

export interface AddressFacts {
  auth: ClaudeAuthMode;
  /** Whether requests go to another address than the provider's own. */
  hasBaseUrl: boolean;
  /** Whether a response of the model has begun, which shows that the address is right. */
  hasBegun: boolean;
}

/** Whether there may be no model API at the address. False for clouds: their errors have other forms, whose type the host does not keep. */
export function mayBeNoModelApi({ auth, hasBaseUrl, hasBegun }: AddressFacts): boolean {
  return hasBaseUrl && !hasBegun && (auth === "api_key" || auth === "oauth_token");
}

/** Whether a string is the host's message for a response with status 200 that does not follow the protocol. */
export function isNoModelResponse(text: string): boolean {
  return /malformed response/i.test(text);
}

/**
 * Returns the error for a wrong address. `status` is set if the address returned an error without a reason. If not, the response did not
 * follow the protocol. The message does not contain the address, because an address may contain a password.
 */
export function wrongAddressError(status: number | undefined): ConfigError {
  const found = status === undefined ? "a response in another protocol" : `status ${status} without a reason`;
  return new ConfigError(`The base URL returned ${found}, so it is probably wrong. Correct llm.provider.baseUrl.`, {
    field: "llm.provider.baseUrl",
  });
}
