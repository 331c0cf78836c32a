import { NetworkError } from "@bridle/protocol";

/** Milliseconds in which a server has to answer when a connection is opened. */
export const defaultConnectMs = 15_000;

/** A server that accepts a connection and says nothing. `server` is its product and place, such as `MySQL at db.example/shop`. */
export function silentFailure(server: string, cause: unknown): NetworkError {
  return new NetworkError(`${server} does not answer. Check host, port and firewall.`, { cause });
}

/** Whether an error comes from the limit of time of `AbortSignal.timeout`. */
export function isTimeLimit(error: unknown): boolean {
  return error instanceof Error && error.name === "TimeoutError";
}
