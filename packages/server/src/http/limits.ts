/** The limits of one server. */
export interface HttpLimits {
  /** The bytes of a body. */
  readonly bodyBytes: number;
  /** The bytes of a body that may have files: see `Route.takesFiles`. */
  readonly fileBodyBytes: number;
  /** The bytes of all headers of a request. */
  readonly headerBytes: number;
  /** The time limits for receiving the headers and the whole request. */
  readonly headersMs: number;
  readonly requestMs: number;
  /** The requests of all users that are answered at once, and the streams that are open at once. */
  readonly requests: number;
  /** The reading requests of one user that are worked on at once. The others wait. */
  readonly readings: number;
  readonly streams: number;
  /** The connections that have not shown a token, and those of all users. */
  readonly strangers: number;
  readonly connections: number;
  /** The bytes of whole replies that wait for their readers. */
  readonly unreadBytes: number;
  /** How long a connection may make no progress while data wait for its reader. Then it is closed. */
  readonly stalledMs: number;
  /** The wrong tokens of one address in one minute. */
  readonly wrongTokens: number;
}

/** The bytes of a body with files, if `serve.uploads` allows them. */
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
