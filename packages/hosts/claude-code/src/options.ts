/** Who pays, and with which of the caller's credentials. See the README of this package for what each mode reads. */
export const authModes = ["session", "api_key", "oauth_token", "bedrock", "vertex", "foundry"] as const;
export type AuthMode = (typeof authModes)[number];

export type Environment = Readonly<Record<string, string | undefined>>;

import type { PoolOptions } from "./pool/limits.ts";

export interface ClaudeCodeOptions {
  /** Default `session`: the login that Claude Code finds by itself. */
  auth?: AuthMode;
  /** What the host's environment is chosen from. Default: this process's. */
  environment?: Environment;
  /** Where requests go instead of the provider's own address. Not for `session`. */
  baseUrl?: string;
  /** Claude Code's own folder instead of the user's; for rehearsals and tests. */
  configDir?: string;
  /** Variables to hand to the host in addition to the allow-list. Credentials are refused here. */
  extraEnvironment?: Environment;
  /**
   * Milliseconds without a word of the host until a turn is given up; what tools take does not count. Default 300,000,
   * and 60,000 for `checkAuth`.
   */
  idleTimeoutMs?: number;
  /**
   * Processes that wait for calls, each for calls of exactly one kind. On by default; `false` starts one for each call
   * and ends it with the call.
   */
  pool?: false | PoolOptions;
}
