import type { PoolOptions } from "./pool-limits.ts";

/** Which credentials pay for the requests. The README of this package lists the variables of each mode. */
export const claudeAuthModes = ["session", "api_key", "oauth_token", "bedrock", "vertex", "foundry"] as const;
export type ClaudeAuthMode = (typeof claudeAuthModes)[number];

export type ClaudeEnvironment = Readonly<Record<string, string | undefined>>;

export interface ClaudeCodeOptions {
  /** Default `session`: the login that Claude Code has stored. */
  auth?: ClaudeAuthMode | undefined;
  /** The variables that the host's environment is chosen from. Default: `process.env`. */
  environment?: ClaudeEnvironment | undefined;
  /** The address for requests, instead of the provider's own. Not for `session`. */
  baseUrl?: string | undefined;
  /** Whether models have any name. Default: in a cloud, and at an own address. */
  ownModelNames?: boolean | undefined;
  /** A folder for Claude Code's settings and login, instead of the user's. For rehearsals and tests. */
  configDir?: string | undefined;
  /** Variables for the host in addition to the allow-list. Credentials are refused here. */
  extraEnvironment?: ClaudeEnvironment | undefined;
  /**
   * Milliseconds without a message of the host until a turn fails. The time that tools take does not count. Default
   * 300,000, and 60,000 for `checkAuth`.
   */
  idleTimeoutMs?: number | undefined;
  /**
   * Keeps processes for later calls, each for calls of exactly one kind. On by default. With `false`, each call starts a
   * process and ends it.
   */
  pool?: false | PoolOptions | undefined;
}

/** Options with their defaults. */
export type ResolvedOptions = ClaudeCodeOptions & { auth: ClaudeAuthMode; environment: ClaudeEnvironment };
