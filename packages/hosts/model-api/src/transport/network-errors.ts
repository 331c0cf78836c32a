/** Creates errors for requests that got no response, or only part of one. */
import { NetworkError, TimeoutError } from "@bridle/protocol";
import { settingPath } from "../settings/check-settings.ts";
import type { Address, TransportOptions } from "./transport-options.ts";

/** Returns the error for a host that could not be reached. */
export function requestConnectionError(cause: unknown, { backend, baseUrl, section }: Address): NetworkError {
  const remedy = `Check the network and ${settingPath("baseUrl", section)}.`;
  const message = `The backend ${backend} cannot be reached at ${baseUrl}: ${describeCause(cause)}. ${remedy}`;
  return new NetworkError(message, { cause });
}

/** Returns the error for a host that was reached and had begun to answer. */
export function interruptedBodyError(cause: unknown, { backend, baseUrl }: Address): NetworkError {
  const message = `The answer of the backend ${backend} broke off before its end (${baseUrl}): ${describeCause(cause)}.`;
  return new NetworkError(`${message} Check the network, and try again.`, { cause });
}

/** Node.js's own limit for silence, in milliseconds. */
export const nodeIdleMs = 300_000;
const nodeTimeoutCodes = ["UND_ERR_HEADERS_TIMEOUT", "UND_ERR_BODY_TIMEOUT"];

export function isNodeTimeout(error: unknown): boolean {
  return nodeTimeoutCodes.includes(findCode(error) ?? "");
}

/** Returns the error for a silent host. `idleTimeoutMs` is the silence that was observed. */
export function requestSilenceError({ backend, baseUrl, section, idleTimeoutMs }: TransportOptions): TimeoutError {
  const setting = settingPath("idleTimeoutMs", section);
  const remedy = idleTimeoutMs < nodeIdleMs ? `Try again later, or raise ${setting}.` : "Try again later.";
  return new TimeoutError(`The backend ${backend} sent nothing for ${idleTimeoutMs / 1000} s (${baseUrl}). ${remedy}`);
}

const causes: Readonly<Record<string, string>> = {
  ECONNREFUSED: "nothing listens there (ECONNREFUSED)",
  ENOTFOUND: "the name is unknown (ENOTFOUND)",
  EAI_AGAIN: "the name could not be looked up (EAI_AGAIN)",
  ECONNRESET: "the connection was cut (ECONNRESET)",
  UND_ERR_SOCKET: "the connection was cut (UND_ERR_SOCKET)",
};

function describeCause(cause: unknown): string {
  const code = findCode(cause);
  return code === undefined ? innermostMessage(cause) : (causes[code] ?? `the connection failed (${code})`);
}

/** Finds the code of a failed request. Node.js wraps the cause, and the innermost error has the code. */
function findCode(error: unknown): string | undefined {
  for (let current = error; current instanceof Error; current = current.cause) {
    if ("code" in current && typeof current.code === "string") return current.code;
  }
  return undefined;
}

/** Returns the innermost error's message. Node.js 24 turns an answer with status 407 into an error without a message. */
function innermostMessage(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (error.cause !== undefined) return innermostMessage(error.cause);
  return error.message || "the request failed without a reason; a proxy may require credentials (status 407)";
}
