import type { PriceTable } from "@bridle/host-shared";
import type { HostEnvironment } from "@bridle/protocol";

/** Which credentials pay for the requests: the login that Codex has stored, or an API key in the environment. */
export const codexAuthModes = ["session", "api_key"] as const;
export type CodexAuthMode = (typeof codexAuthModes)[number];

export interface CodexOptions {
  /** Which credentials pay. Default: `session`, the login that Codex has stored. */
  auth?: CodexAuthMode | undefined;
  /** The environment from which the host's variables are selected. Default: `process.env`. */
  environment?: HostEnvironment | undefined;
  /** The address for requests, instead of OpenAI's own. Not allowed with `session`. */
  baseUrl?: string | undefined;
  /**
   * Milliseconds without a message from the host after which a turn fails. The time that tools take does not count. Default: 300,000, and
   * 60,000 for `checkAuth`.
   */
  idleTimeoutMs?: number | undefined;
  /** How many times the host repeats a failed request. Default: 4. */
  maxRetries?: number | undefined;
  /** Prices by model, in addition to the known ones. */
  prices?: PriceTable | undefined;
  /** Variables for the host in addition to the allow-list. Must not contain credentials. */
  extraEnvironment?: HostEnvironment | undefined;
}

/** Options with defaults filled in. */
export type ResolvedCodexOptions = CodexOptions & { auth: CodexAuthMode; environment: HostEnvironment };
