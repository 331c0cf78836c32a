/**
 * Describes errors of PostgreSQL and of its connections in one sentence with a remedy. The codes are in appendix A of PostgreSQL's
 * documentation.
 */
import {
  AuthenticationError,
  type BridleError,
  ConfigError,
  InvalidRequestError,
  isBridleError,
  NetworkError,
  StoppedError,
} from "@bridle/protocol";
import { toSentence } from "../../../sessions/sentence.ts";
import { silentFailure } from "../../../sessions/silent-server.ts";
import { lockFailure, timeoutFailure } from "../../../sessions/timeout-failure.ts";
import { tlsReason } from "../../../sessions/tls-reason.ts";

/** Returns the error's code from PostgreSQL or Node.js, or an empty string. */
function failureCode(error: unknown): string {
  return error instanceof Error && "code" in error ? String(error.code) : "";
}

function messageOf(error: unknown): string {
  if (error instanceof AggregateError && error.message === "") return messageOf(error.errors[0]);
  return error instanceof Error ? error.message || failureCode(error) : String(error);
}

const certificateCodes = /CERT|SELF_SIGNED|UNABLE_TO_(?:GET|VERIFY)|ALTNAME/;
const lostMessages =
  /connection terminated|connection ended|socket|not queryable|timeout exceeded when trying to connect/i;

export function isLostConnection(error: unknown): boolean {
  const code = failureCode(error);
  if (code === "08P01") return false; // the code of a statement with parameters
  return /^(?:08|57P0|E[A-Z]{4,})/.test(code) || (code === "" && lostMessages.test(messageOf(error)));
}

/** Returns the error of a failed attempt to connect. `place` is the database's address without credentials. */
export function toConnectError(cause: unknown, place: string): BridleError {
  if (isBridleError(cause)) return cause;
  const [code, problem] = [failureCode(cause), messageOf(cause)];
  const at = `PostgreSQL at ${place}`;
  if (code === "28P01" || /password authentication|SASL|client password must be/i.test(problem))
    return new AuthenticationError(`${at} does not accept the password. Correct user and password of the connection.`, {
      cause,
    });
  if (code === "28000" && /no pg_hba.* (?:no encryption|SSL off)/i.test(problem))
    return new ConfigError(`${at} refuses connections without TLS. Set sslmode: require, or a stricter one.`, {
      cause,
    });
  if (code.startsWith("28"))
    return new AuthenticationError(`${at} does not accept the account: ${problem}. Correct user and password.`, {
      cause,
    });
  if (/does not support SSL|establishing an SSL/.test(problem))
    return new ConfigError(`${at} does not offer TLS. Turn it on there, or set sslmode: disable.`, { cause });
  if (certificateCodes.test(code))
    return new ConfigError(
      `${at} has a certificate that cannot be verified: ${problem}. Set sslrootcert to the file of its authority.`,
      { cause },
    );
  if (/SSL|EPROTO/.test(code) || /\bTLS\b|\bSSL\b/.test(problem))
    return new ConfigError(`${at} cannot be reached with TLS: ${tlsReason(problem)}. Correct sslmode.`, { cause });
  return laterConnectFailure(cause, at);
}

function laterConnectFailure(cause: unknown, at: string): BridleError {
  const [code, problem] = [failureCode(cause), messageOf(cause)];
  if (code === "3D000")
    return new ConfigError(`${at} has no such database. Correct the name of the database.`, { cause });
  if (code === "42501")
    return new AuthenticationError(`${at} does not let the account connect: ${problem}. Grant it CONNECT.`, { cause });
  if (code === "53300")
    return new NetworkError(`${at} has too many connections. Try again later, or raise max_connections.`, { cause });
  if (/timeout/i.test(problem)) return silentFailure(at, cause);
  return new NetworkError(`${at} cannot be reached: ${problem}. Check that the server runs, and host and port.`, {
    cause,
  });
}

/** Returns the error of a statement on an open connection. */
export function toStatementError(cause: unknown, place: string, timeoutMs: number): BridleError {
  if (isBridleError(cause)) return cause;
  const [code, problem] = [failureCode(cause), messageOf(cause)];
  if (code === "57014" && /statement timeout/.test(problem)) return timeoutFailure(timeoutMs, cause);
  if (code === "57014") return new StoppedError("The statement was stopped on the server. Run it again.", { cause });
  if (code === "55P03") return lockFailure(cause);
  if (code.startsWith("53"))
    return new NetworkError(`PostgreSQL at ${place} has no resources left: ${problem}. Try again later.`, { cause });
  if (isLostConnection(cause))
    return new NetworkError(`The connection to PostgreSQL at ${place} was lost: ${problem}. Run the statement again.`, {
      cause,
    });
  if (code === "42501")
    return new InvalidRequestError(`${sentence(problem)} Grant the account SELECT, or leave it out.`, { cause });
  return new InvalidRequestError(sentence(problem), { cause });
}

function sentence(text: string): string {
  return toSentence(text.charAt(0).toUpperCase() + text.slice(1));
}
