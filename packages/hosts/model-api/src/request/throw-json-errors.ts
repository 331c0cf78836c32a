import { isPlainObject } from "@bridle/protocol";
import type { Fetch } from "../transport/transport.ts";

/**
 * Wraps `fetch` for requests that expect a stream. Some proxies answer with status 200 and an error as one JSON object. The modules would
 * report only that the body is not a stream, so this function throws the error that the JSON describes.
 */
export function throwJsonErrors(fetch: Fetch): Fetch {
  return async (input, init) => {
    const response = await fetch(input, init);
    const isJson = response.ok && response.headers.get("content-type")?.includes("application/json");
    if (!isJson) return response;
    const responseBody = await response.text();
    if (hasError(responseBody)) throw Object.assign(new Error("The host answered with an error."), { responseBody });
    return new Response(responseBody, response);
  };
}

function hasError(body: string): boolean {
  try {
    const parsed: unknown = JSON.parse(body);
    return isPlainObject(parsed) && Boolean(parsed.error);
  } catch {
    return false; // if the body is not JSON, the module reports it
  }
}
