/** The relay's own answers, and how to recognise a text of the host that repeats one. */
import type { ServerResponse } from "node:http";
import { ConfigError, systemErrorCode } from "@bridle/protocol";

/** Refuses a redirect. The target's query and fragment, which may hold a credential, are left out. */
export function answerRedirect(response: ServerResponse, location: string | undefined, from: string): void {
  const url = location === undefined ? null : URL.parse(location, from);
  const target = url === null ? "an invalid address" : `${url.origin}${url.pathname}`;
  answerError(
    response,
    400,
    "invalid_request_error",
    `The base URL returned a redirect to ${target}, which is not followed`,
  );
}

/** Returns the error for a redirect that a text of the host reports; `undefined` if it reports none. */
export function redirectErrorFrom(text: string): ConfigError | undefined {
  const [redirect] = /The base URL returned a redirect to .{1,2000}?, which is not followed/.exec(text) ?? [];
  if (redirect === undefined) return undefined;
  const message = `${redirect}, because the credential would be sent along. Correct llm.provider.baseUrl.`;
  return new ConfigError(message, { field: "llm.provider.baseUrl" });
}

/** The host sends a request again after this status, as after a lost connection. */
export function answerUnreachable(response: ServerResponse, error: unknown): void {
  answerError(response, 502, "api_error", `The base URL cannot be reached: ${systemErrorCode(error)}`);
}

/** Whether a text of the host reports that the relay could not reach the base URL. */
export function reportsUnreachable(text: string): boolean {
  return text.includes("The base URL cannot be reached:");
}

function answerError(response: ServerResponse, status: number, type: string, message: string): void {
  response.writeHead(status, { "content-type": "application/json" });
  response.end(JSON.stringify({ type: "error", error: { type, message } }));
}
