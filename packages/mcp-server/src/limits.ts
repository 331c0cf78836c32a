/** The limits of a server. Times are in milliseconds. */
export interface ServerLimits {
  /** The maximum number of open calls of one connection. */
  readonly openCalls: number;
  /** The maximum number of calls in one run, and how long a run may be without a call before it ends. */
  readonly callsPerRun: number;
  readonly runIdleMs: number;
  /** The maximum number of sessions over HTTP, for all tokens together. */
  readonly sessions: number;
  /** How long a session may be without a request or an open stream before it is closed. */
  readonly sessionIdleMs: number;
  /** The maximum number of messages of one session, and of their bytes, that are kept for a client that reconnects. */
  readonly keptEvents: number;
  readonly keptBytes: number;
  /** The maximum size of one message in bytes. */
  readonly messageBytes: number;
  /** The time limit for receiving a whole request. */
  readonly requestMs: number;
  /** The maximum number of HTTP connections that have not shown a token, and of those of all tokens together. */
  readonly strangers: number;
  readonly connections: number;
}

export const defaultServerLimits: ServerLimits = {
  openCalls: 32,
  callsPerRun: 200,
  runIdleMs: 300_000,
  sessions: 64,
  sessionIdleMs: 1_800_000,
  keptEvents: 500,
  keptBytes: 2_097_152,
  messageBytes: 1_048_576,
  requestMs: 30_000,
  strangers: 128,
  connections: 256,
};
