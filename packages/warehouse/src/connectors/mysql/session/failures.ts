import {
  AuthenticationError,
  type BridleError,
  ConfigError,
  InvalidRequestError,
  NetworkError,
  TimeoutError,
} from "@bridle/protocol";
import { toSentence } from "../../../sessions/sentence.ts";
import { silentFailure } from "../../../sessions/silent-server.ts";
import { lockFailure, timeoutFailure } from "../../../sessions/timeout-failure.ts";
import { tlsReason } from "../../../sessions/tls-reason.ts";

/** An error of the driver: `errno` is the server's error number, and `code` is the name of the server's or the operating system's error. */
interface DriverError extends Error {
  readonly code?: string;
  readonly errno?: number;
  readonly fatal?: boolean;
}

function isDriverError(error: unknown): error is DriverError {
  return error instanceof Error;
}

const interrupted = 1317;
const lockWaitTimedOut = 1205;
const timedOut = new Set([1969, 3024]);

/** Explains why a connection could not be opened. `place` is the database's address. */
export function connectFailure(cause: unknown, place: string, user: string): BridleError {
  if (!isDriverError(cause)) return new NetworkError(`MySQL at ${place} cannot be reached.`, { cause });
  const { code = "", errno } = cause;
  if (errno === 1045 || errno === 1698)
    return new AuthenticationError(`MySQL at ${place} refuses ${user} with this password. Check user and password.`, {
      cause,
    });
  if (errno === 1044)
    return new AuthenticationError(
      `MySQL at ${place} does not let ${user} use the database. Grant it SELECT, or name another.`,
      { cause },
    );
  if (errno === 1049) return new ConfigError(`The database of ${place} does not exist. Correct "database".`, { cause });
  if (code === "HANDSHAKE_NO_SSL_SUPPORT")
    return new ConfigError(`MySQL at ${place} offers no TLS. Set up TLS on the server, or set "tls: off".`, { cause });
  if (code === "HANDSHAKE_SSL_ERROR" || /certificate|altnames|SSL|TLS/i.test(cause.message))
    return new ConfigError(
      `The TLS connection to MySQL at ${place} failed (${tlsReason(cause.message)}). Name the authority's certificate in "ca", or set "tls: required" to accept any.`,
      { cause },
    );
  if (code === "ETIMEDOUT") return silentFailure(`MySQL at ${place}`, cause);
  return new NetworkError(
    `MySQL at ${place} cannot be reached (${cause.message || code}). Check host, port and whether it runs.`,
    { cause },
  );
}

/** Explains why a statement failed. */
export function statementFailure(cause: unknown, timeoutMs: number): BridleError {
  if (!isDriverError(cause)) return new InvalidRequestError("The statement failed.", { cause });
  if (cause.errno !== undefined && timedOut.has(cause.errno)) return timeoutFailure(timeoutMs, cause);
  if (cause.errno === lockWaitTimedOut) return lockFailure(cause);
  if (cause.errno === interrupted)
    return new TimeoutError("The statement was ended on the server by its administrator. Try again.", { cause });
  if (isLost(cause))
    return new NetworkError(`The connection to MySQL was lost (${cause.message}). Try again.`, { cause });
  return new InvalidRequestError(toSentence(cause.message), { cause });
}

/** Whether the connection is lost, so that no other statement can be sent on it. */
export function isLost(error: unknown): boolean {
  if (!isDriverError(error)) return true;
  const { errno, fatal, code } = error;
  return (
    fatal === true ||
    errno === undefined ||
    errno < 1000 ||
    code?.startsWith("PROTOCOL_") === true ||
    lostNumbers.has(errno)
  );
}

/** Error numbers that mean that the server shuts down or the connection was killed. */
const lostNumbers = new Set([1053, 1927, 1080]);
