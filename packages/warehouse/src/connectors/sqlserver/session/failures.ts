import {
  AuthenticationError,
  type BridleError,
  ConfigError,
  InvalidRequestError,
  NetworkError,
} from "@bridle/protocol";
import { toSentence } from "../../../sessions/sentence.ts";
import { silentFailure } from "../../../sessions/silent-server.ts";
import { lockFailure, timeoutFailure } from "../../../sessions/timeout-failure.ts";
import { tlsReason } from "../../../sessions/tls-reason.ts";

/** Returns the driver's error, or the error that caused it, if it has this property. */
function property(error: unknown, name: "code" | "number"): unknown {
  if (!(error instanceof Error)) return undefined;
  return Reflect.get(error, name) ?? property(error.cause, name);
}

export function sqlserverConnectFailure(cause: unknown, place: string, user: string): BridleError {
  const message = cause instanceof Error ? cause.message : String(cause);
  const code = property(cause, "code");
  if (/Cannot open database/i.test(message))
    return new ConfigError(`The database of ${place} does not exist, or ${user} may not use it. Correct "database".`, {
      cause,
    });
  if (code === "ELOGIN")
    return new AuthenticationError(
      `SQL Server at ${place} refuses ${user} with this password. Check user and password.`,
      { cause },
    );
  if (code === "ETIMEOUT") return silentFailure(`SQL Server at ${place}`, cause);
  if (code === "EENCRYPT" || /certificate|altnames|encrypt|SSL|TLS/i.test(message))
    return new ConfigError(
      `The TLS connection to SQL Server at ${place} failed (${tlsReason(message)}). Set "tls: required" to accept any certificate.`,
      { cause },
    );
  return new NetworkError(
    `SQL Server at ${place} cannot be reached (${message}). Check host, port and whether it runs.`,
    { cause },
  );
}

export function sqlserverFailure(cause: unknown, timeoutMs: number): BridleError {
  const message = cause instanceof Error ? cause.message : String(cause);
  const code = property(cause, "code");
  if (code === "ETIMEOUT") return timeoutFailure(timeoutMs, cause);
  if (property(cause, "number") === 1222) return lockFailure(cause);
  if (isLostSqlServer(cause))
    return new NetworkError(`The connection to SQL Server was lost (${message}). Try again.`, { cause });
  return new InvalidRequestError(toSentence(message), { cause });
}

export function isLostSqlServer(cause: unknown): boolean {
  const code = property(cause, "code");
  return typeof code === "string" && !["EREQUEST", "ECANCEL", "ETIMEOUT"].includes(code);
}
