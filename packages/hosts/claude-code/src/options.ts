import type { PoolOptions } from "./pool-limits.ts";

/** Which credentials pay for the requests. The README of this package lists the variables of each mode. */
export const claudeAuthModes = ["session", "api_key", "oauth_token", "bedrock", "vertex", "foundry"] as const;
export type ClaudeAuthMode = (typeof claudeAuthModes)[number];

export type ClaudeEnvironment = Readonly<Record<string, string | undefined>>;

export interface ClaudeCodeOptions {
  /** Which credentials pay. Default: `session`, the login that Claude Code has stored. */
  auth?: ClaudeAuthMode | undefined;
  /** The environment from which the host's variables are selected. Default: `process.env`. */
  environment?: ClaudeEnvironment | undefined;
  /** The address for requests, instead of the provider's own. Not allowed with `session`. */
  baseUrl?: string | undefined;
  /** Whether models may have any name. Default: true in a cloud and with `baseUrl`. */
  ownModelNames?: boolean | undefined;
  /** A folder for Claude Code's settings and login, used instead of the user's in rehearsals and tests. */
  configDir?: string | undefined;
  /** Variables for the host in addition to the allow-list. Must not contain credentials. */
  extraEnvironment?: ClaudeEnvironment | undefined;
  /**
   * Milliseconds without a message from the host after which a turn fails. The time that tools take does not count. Default: 300,000, and
   * 60,000 for `checkAuth`.
   */
  idleTimeoutMs?: number | undefined;
  /**
   * Limits of the process pool, which keeps processes for later calls of exactly the same kind. On by default. With `false`, each call
   * starts and ends its own process.
   */
  pool?: false | PoolOptions | undefined;
}

/** Options with defaults filled in. */
export type ResolvedOptions = ClaudeCodeOptions & { auth: ClaudeAuthMode; environment: ClaudeEnvironment };
