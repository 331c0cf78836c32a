import { NetworkError } from "@bridle/protocol";

/** How many milliseconds a server may take to answer when a connection is opened. */
export const defaultConnectMs = 15_000;

/**
 * Returns the error for a server that accepts a connection and does not answer. `server` is the product and the address, such as `MySQL at
 * db.example/shop`.
 */
export function silentFailure(server: string, cause: unknown): NetworkError {
  return new NetworkError(`${server} does not answer. Check host, port and firewall.`, { cause });
}

/** Whether an error comes from `AbortSignal.timeout`. */
export function isTimeLimit(error: unknown): boolean {
  return error instanceof Error && error.name === "TimeoutError";
}
