/** The limits of one server. */
export interface HttpLimits {
  /** The maximum size of a body in bytes. */
  readonly bodyBytes: number;
  /** The maximum size of a body with files in bytes: see `Route.takesFiles`. */
  readonly fileBodyBytes: number;
  /** The maximum size of all headers of a request in bytes. */
  readonly headerBytes: number;
  /** The time limits for receiving the headers and the whole request. */
  readonly headersMs: number;
  readonly requestMs: number;
  /** The maximum numbers of concurrent requests and of open streams, for all users. */
  readonly requests: number;
  /** The maximum number of concurrent read requests of one user. Further requests wait. */
  readonly readings: number;
  readonly streams: number;
  /** The maximum numbers of connections without a valid token, and of connections of all users. */
  readonly strangers: number;
  readonly connections: number;
  /** The maximum size of complete replies that wait for their readers, in bytes. */
  readonly unreadBytes: number;
  /** How long a connection may make no progress while it has data for its reader, in milliseconds. Then it is closed. */
  readonly stalledMs: number;
  /** The maximum number of wrong tokens from one address in a minute. */
  readonly wrongTokens: number;
}

/** The maximum size of a body with files in bytes, if `serve.uploads` allows them. */
export const uploadBytes = 20_971_520;

export const defaultHttpLimits: HttpLimits = {
  bodyBytes: 1_048_576,
  fileBodyBytes: 1_048_576,
  headerBytes: 16_384,
  headersMs: 10_000,
  requestMs: 30_000,
  requests: 128,
  readings: 8,
  streams: 256,
  strangers: 512,
  connections: 1024,
  unreadBytes: 268_435_456,
  stalledMs: 60_000,
  wrongTokens: 10,
};
