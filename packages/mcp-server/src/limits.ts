/** The limits of a server. Times are in milliseconds. */
export interface ServerLimits {
  /** The open calls of one connection. */
  readonly openCalls: number;
  /** The maximum number of calls that one run logs. A run also ends after this time without a call. */
  readonly callsPerRun: number;
  readonly runIdleMs: number;
  /** The sessions over HTTP, of all tokens together. */
  readonly sessions: number;
  /** A session is closed after this time without a request or an open stream. */
  readonly sessionIdleMs: number;
  /** The messages of one session, and their bytes, that are kept for a client that reconnects. */
  readonly keptEvents: number;
  readonly keptBytes: number;
  /** The bytes of one message. */
  readonly messageBytes: number;
  /** The time limit for receiving a whole request. */
  readonly requestMs: number;
  /** The connections over HTTP that have not shown a token, and those of all tokens together. */
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
