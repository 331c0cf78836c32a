/**
 * An address behind which there is no model API. A model API says what it does not find in JSON, of which the host keeps
 * the type; a page or a bare status has none (observed on 2.1.330).
 */
import { ConfigError } from "@bridle/protocol";
import type { AuthMode } from "../options.ts";

export interface AddressFacts {
  auth: AuthMode;
  /** Whether requests go elsewhere than to the provider's own address. */
  hasBaseUrl: boolean;
  /** Whether a response of the model has begun: an address that has answered in part is the right one. */
  hasBegun: boolean;
}

/** Errors of the clouds have other forms, of which the host keeps no type. */
export function mayBeNoModelApi({ auth, hasBaseUrl, hasBegun }: AddressFacts): boolean {
  return hasBaseUrl && !hasBegun && (auth === "api_key" || auth === "oauth_token");
}

/** What the host says of an answer with status 200 that is no message of the protocol. */
export function isNoAnswer(text: string): boolean {
  return /malformed response/i.test(text);
}

/** The address may hold a password, and is not told. */
export function wrongAddress(found: string): ConfigError {
  return new ConfigError(
    `Claude Code got ${found} from the base URL, which is probably wrong. Mend llm.provider.baseUrl.`,
    { field: "llm.provider.baseUrl" },
  );
}
