import type { Caller } from "./route.ts";

/** Who is on record as having done something: the name of the token, and where the request came from. */
export function describeCaller({ name, address }: Caller): string {
  return `${name} (${address})`;
}
