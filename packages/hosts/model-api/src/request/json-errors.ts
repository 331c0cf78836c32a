import { isPlainObject } from "@bridle/protocol";
import type { Fetch } from "./transport.ts";

/**
 * The same `fetch` for requests that want a stream. Some proxies answer status 200 with an error in one piece of JSON,
 * of which the modules would find only that it is no stream: that error is thrown.
 */
export function streamed(fetch: Fetch): Fetch {
  return async (input, init) => {
    const response = await fetch(input, init);
    const isPiece = response.ok && response.headers.get("content-type")?.includes("application/json");
    if (!isPiece) return response;
    const responseBody = await response.text();
    if (tellsError(responseBody)) throw Object.assign(new Error("The host answered with an error."), { responseBody });
    return new Response(responseBody, response);
  };
}

function tellsError(body: string): boolean {
  try {
    const parsed: unknown = JSON.parse(body);
    return isPlainObject(parsed) && Boolean(parsed.error);
  } catch {
    return false; // no JSON: the module says so
  }
}
