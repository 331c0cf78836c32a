/** The artifacts of the event log: complete inputs and results, by their hash. */
import { RequestProblem } from "../http/problem.ts";
import { defineRoute, type Route } from "../http/route.ts";

/** Headers with which browsers at most show the content as text, so that nothing in it is executed. */
const inertHeaders = {
  "content-disposition": "attachment",
  "content-security-policy": "sandbox; default-src 'none'",
  "x-content-type-options": "nosniff",
  "cross-origin-resource-policy": "same-origin",
  "cache-control": "private, max-age=31536000, immutable",
};

const read = defineRoute({
  method: "GET",
  path: "/artifacts/{sha256}",
  summary: "The text of an artifact of the event log, such as a full tool result.",
  role: "viewer",
  replies: { 200: null },
  async handle({ workspace: { eventLog }, names: { sha256 = "" }, headers }) {
    const content = /^[0-9a-f]{64}$/.test(sha256) ? await eventLog.artifact(sha256) : undefined;
    if (content === undefined) {
      throw new RequestProblem(
        404,
        "no-such-artifact",
        `The event log has no artifact ${sha256}. Its session may be removed.`,
      );
    }
    const etag = `"${sha256}"`;
    if (headers.get("if-none-match") === etag) return { status: 304, headers: { etag, ...inertHeaders } };
    return { status: 200, body: content, contentType: "text/plain; charset=utf-8", headers: { etag, ...inertHeaders } };
  },
});

export const artifactRoutes: readonly Route[] = [read];
