/** Replies that several resources share. */
import { createHash } from "node:crypto";
import type { Workspace } from "@bridle/app/serving";
import { z } from "zod";
import { RequestProblem } from "../http/problem.ts";
import type { RouteReply } from "../http/route.ts";

export function reply(body: unknown, status = 200, headers?: Readonly<Record<string, string>>): RouteReply {
  return { status, body, ...(headers && { headers }) };
}

/** Removes text that looks like a credential. For content from a file or a host; content from the event log is already redacted. */
export function replyRedacted({ context }: Pick<Workspace, "context">, body: unknown): RouteReply {
  return reply(context.project.redactor.value(body));
}

/** Computes the version of editable content, for `If-Match`. */
export function toVersion(content: string): string {
  return `"${createHash("sha256").update(content).digest("base64url").slice(0, 22)}"`;
}

/** Throws if the client edits a version that is not the current one. */
export function requireVersion(headers: Headers, version: string): void {
  const given = headers.get("if-match");
  if (given === null) {
    const detail = "The request has no If-Match. Send the ETag of the version that you changed, or * for any.";
    throw new RequestProblem(428, "precondition-required", detail);
  }
  const accepted = given.split(",").map((each) => each.trim());
  if (accepted.includes("*") || accepted.includes(version)) return;
  const detail =
    "It has changed since you read it, and nothing was changed now. Read it again, and repeat your change.";
  throw new RequestProblem(412, "changed-meanwhile", detail, { version });
}

/** The schema of a number in a query string. */
export const numberInQuery = z
  .string()
  .regex(/^\d{1,15}$/, "must be a whole number")
  .transform(Number);

/** Creates the schema of a page size. Default: 50. Numbers larger than `max` are reduced to `max`. */
export function pageLimit(max: number, usual = 50) {
  return numberInQuery
    .optional()
    .transform((limit = usual) => Math.min(Math.max(limit, 1), max))
    .describe(`The most entries of a page. Default: ${usual}, at most ${max}.`);
}

/** Encodes the position of the next page as an opaque cursor. */
export function toCursor(place: unknown): string {
  return Buffer.from(JSON.stringify(place)).toString("base64url");
}

export function parseCursor<T>(cursor: string | undefined, schema: z.ZodType<T>): T | undefined {
  if (cursor === undefined) return undefined;
  try {
    return schema.parse(JSON.parse(Buffer.from(cursor, "base64url").toString("utf8")));
  } catch {
    throw new RequestProblem(422, "invalid-input", "The cursor is not one of this list. Use the next of a page.", {
      errors: [{ parameter: "cursor", message: "is not one of this list" }],
    });
  }
}
