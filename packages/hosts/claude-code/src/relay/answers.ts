/** Sends the relay's own answers, and recognises these answers in the host's messages. */
import type { ServerResponse } from "node:http";
import { ConfigError, systemErrorCode } from "@bridle/protocol";

/** Refuses a redirect. The answer leaves out the target's query and fragment, which may contain a credential. */
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

/** Returns the error for a redirect that the host's message reports; `undefined` if the message reports none. */
export function redirectErrorFrom(text: string): ConfigError | undefined {
  const [redirect] = /The base URL returned a redirect to .{1,2000}?, which is not followed/.exec(text) ?? [];
  if (redirect === undefined) return undefined;
  const message = `${redirect}, because the credential would be sent along. Correct llm.provider.baseUrl.`;
  return new ConfigError(message, { field: "llm.provider.baseUrl" });
}

/** Answers that the base URL could not be reached. After this status, the host sends a request again, as after a lost connection. */
export function answerUnreachable(response: ServerResponse, error: unknown): void {
  answerError(response, 502, "api_error", `The base URL cannot be reached: ${systemErrorCode(error)}`);
}

/** Whether the host's message reports that the relay could not reach the base URL. */
export function reportsUnreachable(text: string): boolean {
  return text.includes("The base URL cannot be reached:");
}

function answerError(response: ServerResponse, status: number, type: string, message: string): void {
  response.writeHead(status, { "content-type": "application/json" });
  response.end(JSON.stringify({ type: "error", error: { type, message } }));
}
