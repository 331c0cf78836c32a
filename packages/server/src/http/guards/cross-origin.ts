import type { OwnNames } from "./own-names.ts";
import { oneValue, type RequestHead } from "./request-head.ts";

/**
 * Returns the headers for pages of the origins passed to `--allow-origin`: the exact origin, and no credentials, because browsers do not
 * manage the token.
 */
export function crossOriginHeaders(head: RequestHead, { origins }: Pick<OwnNames, "origins">): Record<string, string> {
  if (origins.size === 0) return {};
  const origin = oneValue(head, "origin");
  if (origin === undefined || !origins.has(origin)) return { vary: "Origin" };
  return { vary: "Origin", "access-control-allow-origin": origin, "access-control-expose-headers": exposed };
}

export function preflightHeaders(head: RequestHead, names: Pick<OwnNames, "origins">): Record<string, string> {
  return {
    ...crossOriginHeaders(head, names),
    "access-control-allow-methods": "GET, POST, PUT, PATCH, DELETE",
    "access-control-allow-headers": allowed,
    "access-control-max-age": "600",
  };
}

const exposed = "etag, location, retry-after, mcp-session-id, x-vercel-ai-ui-message-stream";
const allowed =
  "authorization, content-type, idempotency-key, if-match, if-none-match, last-event-id, accept, mcp-session-id, mcp-protocol-version, user-agent";
