import {
  AuthenticationError,
  type BridleError,
  ConfigError,
  InvalidRequestError,
  NetworkError,
} from "@bridle/protocol";
import { toSentence } from "../../../sessions/sentence.ts";
import { timeoutFailure } from "../../../sessions/timeout-failure.ts";
import { tlsReason } from "../../../sessions/tls-reason.ts";

const authenticationCodes = new Set([192, 193, 194, 516]);
const unknownDatabase = 81;
const timeoutExceeded = 159;

/** Reads the server's error from the body of its answer or from an incomplete result. */
export function clickhouseError(text: string): { readonly code: number; readonly message: string } | undefined {
  const [, code, message] = /Code: (\d+)\.\s+(?:DB::)?\w*Exception: ([\s\S]*)/.exec(text) ?? [];
  if (code === undefined || message === undefined) return undefined;
  const [first = ""] = message.split(/\r?\n(?:__exception__|\d+ \S+\r?\n__exception__)|\s*\(version [^)]*\)/);
  // The name of the code, which follows in parentheses, is removed.
  return { code: Number(code), message: toSentence(first.replace(/\s*\([A-Z][A-Z0-9_]+\)\s*$/, "")) };
}

/** Returns the error for a server's answer that is not a result. */
export function clickhouseRefusal(
  status: number,
  body: string,
  { place, user, timeoutMs }: { place: string; user: string; timeoutMs: number },
): BridleError {
  const error = clickhouseError(body);
  if (status === 401 || authenticationCodes.has(error?.code ?? 0))
    return new AuthenticationError(
      `ClickHouse at ${place} refuses ${user} with this password. Check user and password.`,
    );
  if (error?.code === unknownDatabase)
    return new ConfigError(`The database of ${place} does not exist, or ${user} may not use it. Correct "database".`);
  if (error?.code === timeoutExceeded) return timeoutFailure(timeoutMs);
  if (error !== undefined) return new InvalidRequestError(error.message);
  return new NetworkError(`${place} answered with HTTP ${status} and no result of ClickHouse. Check host and port.`);
}

/** Explains why the server cannot be reached. */
export function clickhouseUnreachable(cause: unknown, place: string): BridleError {
  const reason = cause instanceof Error && cause.cause instanceof Error ? cause.cause : cause;
  const code = reason instanceof Error && "code" in reason ? String(reason.code) : "";
  const message = reason instanceof Error && reason.message !== "" ? reason.message : code || String(reason);
  if (/CERT|SSL|TLS|ALTNAME/i.test(code) || /certificate|SSL|TLS/i.test(message))
    return new ConfigError(
      `The TLS connection to ClickHouse at ${place} failed (${tlsReason(message)}). Check the port and the certificate, or set "tls: off".`,
      { cause },
    );
  return new NetworkError(
    `ClickHouse at ${place} cannot be reached (${message}). Check host, port and whether it runs.`,
    { cause },
  );
}
