import type { PriceTable } from "@bridle/host-shared";
import type { HostEnvironment } from "@bridle/protocol";

/** Which credentials pay for the requests: the login that Codex has stored, or an API key of the environment. */
export const codexAuthModes = ["session", "api_key"] as const;
export type CodexAuthMode = (typeof codexAuthModes)[number];

export interface CodexOptions {
  /** Default `session`: the login that Codex has stored. */
  auth?: CodexAuthMode | undefined;
  /** The variables that the host's environment is chosen from. Default: `process.env`. */
  environment?: HostEnvironment | undefined;
  /** The address for requests, instead of OpenAI's own. Not for `session`. */
  baseUrl?: string | undefined;
  /**
   * Milliseconds without a message of the host until a turn fails. The time that tools take does not count. Default
   * 300,000, and 60,000 for `checkAuth`.
   */
  idleTimeoutMs?: number | undefined;
  /** How often the host repeats a request that failed. Default 4. */
  maxRetries?: number | undefined;
  /** Prices by model, in addition to the known ones. */
  prices?: PriceTable | undefined;
  /** Variables for the host in addition to the allow-list. Credentials are refused here. */
  extraEnvironment?: HostEnvironment | undefined;
}

/** Options with their defaults. */
export type ResolvedCodexOptions = CodexOptions & { auth: CodexAuthMode; environment: HostEnvironment };
