import type { RequestSender } from "./route.ts";

/** Who is on record as having done something: the name of the token, and where the request came from. */
export function describeCaller({ name, address }: RequestSender): string {
  return `${name} (${address})`;
}
