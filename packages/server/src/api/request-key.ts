/** Reads idempotency keys, with which a repeated request starts nothing new. */
import { createHash } from "node:crypto";
import { canonicalJson } from "@bridle/protocol";
import { RequestProblem } from "../http/problem.ts";
import type { RequestSender } from "../http/route.ts";

/**
 * Reads the idempotency key of a request, if it has one, with the hash of the request. Keys of different tokens are independent.
 */
export function readKey(
  headers: Headers,
  { name }: RequestSender,
  request: unknown,
): { readonly value: string; readonly bodyHash: string } | undefined {
  const key = headers.get("idempotency-key");
  if (key === null) return undefined;
  if (!/^[\x21-\x7e]{1,200}$/.test(key)) {
    const message = "has 1 to 200 visible ASCII characters";
    throw new RequestProblem(422, "invalid-input", `An Idempotency-Key ${message}. Choose another.`, {
      errors: [{ header: "Idempotency-Key", message }],
    });
  }
  return { value: `${name}/${key}`, bodyHash: hashRequest(request) };
}

/** Hashes a request. A repeated request with the same key must have the same hash. */
export function hashRequest(request: unknown): string {
  return createHash("sha256").update(canonicalJson(request)).digest("hex");
}
